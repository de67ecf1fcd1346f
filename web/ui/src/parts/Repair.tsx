// "Put it right on the table": what hands have to do after a correction, ticked off by the camera or a finger;
// and what is wrong with the program's own senses.

import { change } from "../link";
import { open } from "../store";
import type { View } from "../types";

export function Repair({ view }: { view: View }) {
  if (!view.repair.length) return null;
  return (
    <section class="repair" data-part="repair">
      <h3>Put it right on the table</h3>
      <ul>
        {view.repair.map(({ id, text, done }) => (
          <li key={id ?? text} class={done ? "done" : undefined}>
            <button type="button" class="plain" disabled={done || !id} onClick={() => void change("tick", { line: id })}>
              <span class="tick" aria-hidden="true">
                {done ? "✓" : ""}
              </span>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Problems({ view }: { view: View }) {
  if (!view.problems.length) return null;
  const misfit = view.log.find((line) => line.status === "no_longer_fits");
  return (
    <section class="problems" data-part="problems" role="status">
      {view.problems.map(({ text, code }) =>
        code === "no_longer_fits" && misfit ? (
          <button type="button" class="plain" key={code} onClick={() => open({ kind: "entry", entry: misfit.entry })}>
            {text}
          </button>
        ) : (
          <p key={code}>{text}</p>
        ),
      )}
    </section>
  );
}
