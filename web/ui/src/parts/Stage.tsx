// The stage of a game that has some: what it is, what changes it, who is what, and how near each win is.

import { useEffect, useRef, useState } from "preact/hooks";
import { faceOf } from "../palette";
import type { View } from "../types";
import { Mark } from "./Mark";

export function Stage({ view }: { view: View }) {
  const stage = view.stage;
  const [isNew, tell] = useState(false);
  const before = useRef(stage?.name);
  useEffect(() => {
    if (before.current !== stage?.name) tell(before.current !== undefined);
    before.current = stage?.name;
  }, [stage?.name]);
  if (!stage || view.phase === "over") return null;
  const told = new Map<string, string[]>();
  for (const [player, { status, notes }] of Object.entries(stage.roles)) {
    const text = [...(status === "human" ? [] : [status]), ...notes].join(", ");
    if (text) told.set(text, [...(told.get(text) ?? []), player]);
  }
  return (
    <section class={`stage ${stage.name}${isNew ? " new" : ""}`} data-part="stage" data-stage={stage.name}>
      <h2>{stage.title}</h2>
      <p class="stage-text">{stage.text}</p>
      {stage.due.map((player) => (
        <p key={player} class="due" data-due={player}>
          <Mark face={faceOf(view.players, player)} size={24} />
          <span>
            <b>{player}</b> is homeless and moves now, out of turn.
          </span>
        </p>
      ))}
      {told.size > 0 && (
        <ul class="roles">
          {[...told].map(([text, players]) => (
            <li key={text} data-role={stage.roles[players[0] ?? ""]?.status}>
              {players.map((player) => (
                <Mark face={faceOf(view.players, player)} size={24} />
              ))}
              <span>
                <b>{players.join(", ")}</b> {text}
              </span>
            </li>
          ))}
        </ul>
      )}
      {stage.groups.map((line) => (
        <p key={line} data-group={line}>
          {line}
        </p>
      ))}
      {stage.wins.map((line) => (
        <p key={line} class="win-line" data-win={line}>
          {line}
        </p>
      ))}
    </section>
  );
}
