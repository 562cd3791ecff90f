import type { LeadCreate } from "../../api/schema.ts";
import { useWrite } from "../../api/use.ts";
import { Form, useForm } from "../../parts/form.tsx";
import { toast } from "../../parts/toast.tsx";
import { leadBody, NEW_LEAD } from "../../pure/lead-form.ts";
import { leadName } from "../../pure/lead-words.ts";
import { LeadFields } from "./lead-fields.tsx";

export function NewLead({ datasetId, onClose }: { datasetId: string; onClose(): void }) {
  const create = useWrite("createLead");
  const form = useForm(`new lead ${datasetId}`, NEW_LEAD);
  return (
    <Form
      form={form}
      submit="Add"
      onCancel={onClose}
      onSend={async () => {
        const body = leadBody(form.changes()) as LeadCreate;
        const lead = await create({ params: { dataset_id: datasetId }, body });
        form.discard();
        onClose();
        toast(`${leadName(lead)} is added.`);
      }}
    >
      <LeadFields form={form} isShort />
    </Form>
  );
}
