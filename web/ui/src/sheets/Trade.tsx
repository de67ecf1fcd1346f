// A deal between two players: what each gives, touched together; both agree at the table.

import { useState } from "preact/hooks";
import { faceOf, GROUPS } from "../palette";
import { money, sentence, words } from "../format";
import { act } from "../link";
import { deedsOf } from "../parts/Players";
import { Mark } from "../parts/Mark";
import { open, useStore } from "../store";
import type { View } from "../types";
import { Stepper } from "./Stepper";
import { Frame } from "./Sheet";

interface Side {
  cash: number;
  spaces: string[];
  cards: string[];
}

const NOTHING: Side = { cash: 0, spaces: [], cards: [] };

export function Trade({ name, view }: { name: string; view: View }) {
  const others = view.players.map((player) => player.name).filter((other) => other !== name && view.snapshot?.players[other]?.status !== "bankrupt");
  const [partner, choose] = useState<string | null>(others.length === 1 ? (others[0] ?? null) : null);
  const [give, setGive] = useState<Side>(NOTHING);
  const [get, setGet] = useState<Side>(NOTHING);
  const { waiting, link } = useStore();
  const empty = [give, get].every((side) => !side.cash && !side.spaces.length && !side.cards.length);
  const agree = async () => {
    if (await act({ trade: { with: partner, give, get }, by: name })) open(null);
  };
  return (
    <Frame title={`A deal with ${name}`} part="trade" onClose={() => open({ kind: "player", player: name })}>
      <div class="partners">
        {others.map((other) => (
          <button type="button" class={partner === other ? "picked" : undefined} aria-pressed={partner === other} onClick={() => choose(other)}>
            <Mark face={faceOf(view.players, other)} size={32} /> {other}
          </button>
        ))}
      </div>
      {partner && (
        <>
          <div class="sides">
            <Giver name={name} view={view} side={give} onChange={setGive} />
            <Giver name={partner} view={view} side={get} onChange={setGet} />
          </div>
          <button type="button" class="large likeliest" disabled={empty || waiting || link !== "live"} onClick={() => void agree()}>
            Both agree
          </button>
        </>
      )}
    </Frame>
  );
}

function Giver({ name, view, side, onChange }: { name: string; view: View; side: Side; onChange: (side: Side) => void }) {
  const { board } = useStore();
  const state = view.snapshot?.players[name];
  const flip = (list: string[], one: string) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);
  return (
    <div class="giver">
      <h3>
        {name} gives {side.cash > 0 && money(side.cash, board)}
      </h3>
      <div class="deed-list">
        {deedsOf(name, view, board).map((space) => (
          <button
            type="button"
            key={space.space}
            class={side.spaces.includes(space.space) ? "picked" : undefined}
            aria-pressed={side.spaces.includes(space.space)}
            style={{ "--group": GROUPS[space.group ?? ""] ?? "transparent" }}
            onClick={() => onChange({ ...side, spaces: flip(side.spaces, space.space) })}
          >
            {space.name}
            {view.snapshot?.spaces[space.space]?.mortgaged && <small>mortgaged</small>}
          </button>
        ))}
        {state?.cards?.map((card) => (
          <button
            type="button"
            key={card}
            class={side.cards.includes(card) ? "picked" : undefined}
            aria-pressed={side.cards.includes(card)}
            onClick={() => onChange({ ...side, cards: flip(side.cards, card) })}
          >
            {sentence(words(card))}
          </button>
        ))}
      </div>
      <Stepper value={side.cash} most={state?.cash ?? 0} label={`cash from ${name}`} onChange={(cash) => onChange({ ...side, cash })} />
    </div>
  );
}
