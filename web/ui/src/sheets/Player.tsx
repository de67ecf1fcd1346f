// One player: deeds, cards, what may be built, sold or mortgaged now, a deal, a recount of the cash.

import { useState } from "preact/hooks";
import { faceOf, GROUPS } from "../palette";
import { money, sentence, words } from "../format";
import { act } from "../link";
import { deedsOf } from "../parts/Players";
import { Mark } from "../parts/Mark";
import { SeatPart } from "../parts/Seat";
import { open, set, useStore } from "../store";
import type { Button, View } from "../types";
import { Stepper } from "./Stepper";
import { Frame } from "./Sheet";

export function PlayerSheet({ name, view }: { name: string; view: View }) {
  const { board, waiting, link } = useStore();
  const state = view.snapshot?.players[name];
  if (!state) return null;
  const deeds = deedsOf(name, view, board);
  const manage = view.manage[name] ?? [];
  const told = view.records?.[name] ?? [];
  const trades = view.game?.variant !== "watch" && state.status !== "bankrupt" && view.phase === "play";
  return (
    <Frame
      title={
        <span class="with-mark">
          <Mark face={faceOf(view.players, name)} size={40} /> {name}
          {view.game?.variant !== "watch" && <span class="sheet-cash">{money(state.cash, board)}</span>}
        </span>
      }
      part="player-sheet"
    >
      {(state.owes?.length ?? 0) > 0 && (
        <p class="owes">
          Owes {state.owes?.map((debt) => `${money(debt.amount, board)} to ${debt.to === "bank" ? "the Bank" : debt.to}`).join(", ")}.
        </p>
      )}
      {told.length > 0 ? (
        <p data-part="record">{told.join(" ")}</p>
      ) : (
        (state.cards?.length ?? 0) > 0 && <p>Holds {state.cards?.map((card) => sentence(words(card))).join(", ")}.</p>
      )}
      {view.seats?.[name] && <SeatPart name={name} seat={view.seats[name]} />}
      <div class="deed-list">
        {deeds.map((space) => {
          const own = view.snapshot?.spaces[space.space];
          return (
            <button type="button" key={space.space} style={{ "--group": GROUPS[space.group ?? ""] ?? "transparent" }} onClick={() => showDeed(space.space)}>
              <span>{space.name}</span>
              <small>
                {own?.mortgaged ? "mortgaged" : own?.hotel ? "hotel" : own?.houses ? `${own.houses} ${own.houses === 1 ? "house" : "houses"}` : ""}
              </small>
            </button>
          );
        })}
      </div>
      <div class="manage">
        {manage.map((button) => (
          <button
            type="button"
            key={button.label}
            disabled={!button.enabled || waiting || link !== "live"}
            onClick={() => void act(button.action)}
          >
            {button.label}
            <ManageNote button={button} />
          </button>
        ))}
      </div>
      {trades && (
        <div class="row">
          <button type="button" class="large" onClick={() => open({ kind: "trade", player: name })}>
            A deal …
          </button>
          <Recount name={name} cash={state.cash} />
        </div>
      )}
    </Frame>
  );
}

/** Why it cannot be done now, or what it costs. */
function ManageNote({ button }: { button: Button }) {
  const note = button.enabled ? button.note : button.reason;
  return note ? <small>{note}</small> : null;
}

/** Shows a deed in the middle of the board; where the sheet hides the board, it makes way. */
function showDeed(space: string): void {
  set({ picked: space });
  if (!matchMedia("(max-aspect-ratio: 1/1), (max-width: 720px)").matches) return;
  open(null);
  document.querySelector(".board")?.scrollIntoView({ block: "center" });
}

/** The cash as counted by hand, where it differs from the book. */
function Recount({ name, cash }: { name: string; cash: number }) {
  const { board } = useStore();
  const [counted, count] = useState<number | null>(null);
  if (counted === null) {
    return (
      <button type="button" class="large" onClick={() => count(cash)}>
        The cash is different
      </button>
    );
  }
  return (
    <div class="recount">
      <Stepper value={counted} onChange={count} label="counted" />
      <div class="row">
        <button type="button" onClick={() => count(null)}>
          Leave it
        </button>
        <button
          type="button"
          class="likeliest"
          disabled={counted === cash}
          onClick={() => void act({ set: { players: { [name]: { cash: counted } } } }).then((done) => done && count(null))}
        >
          It is {money(counted, board)}
        </button>
      </div>
    </div>
  );
}
