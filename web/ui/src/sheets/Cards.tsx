// All cards of a deck (or all choices of a decision): touch the one that was turned over.

import { useState } from "preact/hooks";
import { act } from "../link";
import { open, useStore } from "../store";
import type { Button, Decision, View } from "../types";
import { Frame } from "./Sheet";

export function Cards({ place, view }: { place: number; view: View }) {
  const decision = view.decisions[place];
  if (!decision?.choices?.length) return null;
  return (
    <Frame title={decision.text} part="cards">
      {decision.kind === "deal" ? <Several decision={decision} choices={decision.choices} /> : <One choices={decision.choices} />}
    </Frame>
  );
}

function One({ choices }: { choices: Button[] }) {
  const { waiting, link } = useStore();
  return (
    <div class="cards">
      {choices.map((card) => (
        <button
          type="button"
          key={card.label}
          disabled={!card.enabled || waiting || link !== "live"}
          onClick={() => void act(card.action).then((done) => done && open(null))}
        >
          {card.label}
          {(card.text ?? card.reason) && <small>{card.text ?? card.reason}</small>}
        </button>
      ))}
    </div>
  );
}

/** Deeds dealt at the start: as many as were dealt, sent together. */
function Several({ decision, choices }: { decision: Decision; choices: Button[] }) {
  const { waiting, link } = useStore();
  const [picked, pick] = useState<string[]>([]);
  const count = Number(decision.fields?.count ?? 1);
  const flip = (space: string) => pick(picked.includes(space) ? picked.filter((one) => one !== space) : [...picked, space]);
  const send = () => void act({ ...choices[0]?.action, spaces: picked }).then((done) => done && open(null));
  return (
    <>
      <div class="cards">
        {choices.map((deed) => {
          const space = String((deed.action.spaces as string[])[0]);
          const isPicked = picked.includes(space);
          return (
            <button
              type="button"
              key={space}
              class={isPicked ? "picked" : undefined}
              aria-pressed={isPicked}
              disabled={!isPicked && picked.length >= count}
              onClick={() => flip(space)}
            >
              {deed.label}
            </button>
          );
        })}
      </div>
      <button type="button" class="large likeliest sticky" disabled={picked.length !== count || waiting || link !== "live"} onClick={send}>
        {picked.length === count ? "These were dealt" : `${count - picked.length} more`}
      </button>
    </>
  );
}
