// The stage of a game that has some: what it is, what changes it, who is what, and how near each win is.

import type { View } from "../types";

export function Stage({ view }: { view: View }) {
  const stage = view.stage;
  if (!stage || view.phase === "over") return null;
  const told = Object.entries(stage.roles).filter(([, { status, notes }]) => status !== "human" || notes.length);
  return (
    <section class={`stage ${stage.name}`} data-part="stage" data-stage={stage.name}>
      <h2>{stage.title}</h2>
      <p>{stage.text}</p>
      {stage.due.map((player) => (
        <p key={player} data-due={player}>
          <b>{player}</b> is homeless and has to move now.
        </p>
      ))}
      {told.length > 0 && (
        <ul class="roles">
          {told.map(([player, { status, notes }]) => (
            <li key={player} data-role={status}>
              <b>{player}</b> {[...(status === "human" ? [] : [status]), ...notes].join(", ")}
            </li>
          ))}
        </ul>
      )}
      {[...stage.groups, ...stage.wins].map((line) => (
        <p key={line}>
          <small>{line}</small>
        </p>
      ))}
    </section>
  );
}
