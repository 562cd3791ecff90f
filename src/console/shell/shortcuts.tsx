import {
  everywhere,
  isHelpOpen,
  screenKeys,
  setSingleKeys,
  singleKeys,
  type Shortcut,
} from "../keys.ts";
import { Dialog } from "../parts/dialog.tsx";

export function ShortcutsHelp() {
  return (
    <Dialog title="Shortcuts" onClose={() => (isHelpOpen.value = false)}>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />
        <span>Single keys do something. In fields they never do.</span>
      </label>
      {screenKeys.value.length > 0 && <KeyList title="On this page" keys={screenKeys.value} />}
      <KeyList title="Everywhere" keys={everywhere} />
    </Dialog>
  );
}

function KeyList({ title, keys }: { title: string; keys: Shortcut[] }) {
  return (
    <>
      <h3>{title}</h3>
      <dl class="key-list">
        {keys.map(({ key, label }) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
