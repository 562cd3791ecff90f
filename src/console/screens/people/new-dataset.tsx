import { useWrite } from "../../api/use.ts";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { go } from "../../router.ts";

export function NewDataset({ onClose }: { onClose(): void }) {
  const create = useWrite("createDataset");
  const form = useForm("new dataset", { name: "" });
  return (
    <Form
      form={form}
      submit="Make the dataset"
      onCancel={onClose}
      onSend={async (body) => {
        const { id } = await create({ body });
        form.discard();
        onClose();
        go(`/people/${id}/import`);
      }}
    >
      <TextField form={form} name="name" label="Name" hint="Such as: Heads of platform, Nordics." />
    </Form>
  );
}
