import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { usePages } from "../../api/pages.ts";
import { asProblem, mayBeDone } from "../../api/problem.ts";
import type { SocialPost } from "../../api/schema.ts";
import { useWrite } from "../../api/use.ts";
import { FileDrop } from "../../parts/file-drop.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { toast } from "../../parts/toast.tsx";
import { fromLocalInput, toLocalInput } from "../../pure/local-input.ts";
import { bytes } from "../../pure/words.ts";
import { href } from "../../router.ts";

const MOST = 3_000;

export function WritePost({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const accounts = usePages("listConnectedAccounts", { query: { limit: 100 } });
  const create = useWrite("createSocialPost");
  const form = useForm("post", { text: "", connected_account_id: "", scheduled_at: "" });
  const image = useSignal<File | null>(null);
  const { text, scheduled_at: typed } = form.values.value;
  const all = accounts.data;
  if (all !== undefined && all.length === 0)
    return (
      <p>
        A post needs an account to speak from. <a href={href("/network")}>Connect one first.</a>
      </p>
    );
  return (
    <Form
      form={form}
      submit={fromLocalInput(typed) === null ? "Publish it now" : "Schedule it"}
      onCancel={onClose}
      onSend={async ({ connected_account_id: account, scheduled_at: when }) => {
        const body = new FormData();
        body.append("text", form.values.value.text);
        if (account !== "") body.append("connected_account_id", account);
        const at = fromLocalInput(when);
        if (at !== null) body.append("scheduled_at", at);
        if (image.value !== null) body.append("image", image.value);
        const post = await create({ body }).catch((error) => {
          const problem = asProblem(error);
          // A form takes no Idempotency-Key: the same again would be a second post.
          if (mayBeDone(problem)) {
            problem.message =
              "Close this and look whether it is among the posts before you publish it again.";
            onMade();
          }
          throw problem;
        });
        form.discard();
        onMade();
        toast(
          post.status === "scheduled" ? "The post waits for its time." : "The post is on its way.",
        );
        onClose();
      }}
    >
      <TextField
        form={form}
        name="text"
        label="Text"
        rows={7}
        hint={`${[...text].length} of ${MOST} characters`}
      />
      <SelectField
        form={form}
        name="connected_account_id"
        label="From"
        options={[
          ["", "the default account"],
          ...(all ?? []).map(({ id, display_name: name }): [string, string] => [
            id,
            name || "An account",
          ]),
        ]}
      />
      <TextField
        form={form}
        name="scheduled_at"
        label="When"
        type="datetime-local"
        hint="By this computer's clock. Empty: now."
      />
      {image.value === null ? (
        <FileDrop
          label="Add an image"
          accept="image/png,image/jpeg,image/gif,image/webp"
          hint="PNG, JPEG, GIF or WebP, up to 8 MiB"
          onFile={(file) => (image.value = file)}
        />
      ) : (
        <Picked of={image.value} onRemove={() => (image.value = null)} />
      )}
    </Form>
  );
}

function Picked({ of, onRemove }: { of: File; onRemove(): void }) {
  const url = useSignal("");
  useEffect(() => {
    const reader = new FileReader();
    reader.addEventListener("load", () => (url.value = String(reader.result)));
    reader.readAsDataURL(of);
    return () => reader.abort();
  }, [of]);
  return (
    <div class="row">
      {url.value.startsWith("data:image/") && <img class="thumb" src={url.value} alt="" />}
      <span>
        {of.name} <span class="dim">{bytes(of.size)}</span>
      </span>
      <button type="button" class="btn" onClick={onRemove}>
        Take it away
      </button>
    </div>
  );
}

/** Of one that waits for its time. */
export function ChangePost({ post, onClose }: { post: SocialPost; onClose(): void }) {
  const change = useWrite("changeSocialPost");
  const form = useForm(`post ${post.id}`, {
    text: post.text ?? "",
    scheduled_at: post.scheduled_at === null ? "" : toLocalInput(new Date(post.scheduled_at)),
  });
  return (
    <Form
      form={form}
      submit="Keep the changes"
      onCancel={onClose}
      onSend={async () => {
        const { text, scheduled_at: typed } = form.changes();
        const at = typed === undefined ? null : fromLocalInput(typed);
        const body = {
          ...(text !== undefined && { text }),
          ...(at !== null && { scheduled_at: at }),
        };
        if (Object.keys(body).length > 0) await change({ params: { post_id: post.id }, body });
        form.discard();
        toast("The post is changed.");
        onClose();
      }}
    >
      <TextField form={form} name="text" label="Text" rows={7} />
      <TextField form={form} name="scheduled_at" label="When" type="datetime-local" />
    </Form>
  );
}
