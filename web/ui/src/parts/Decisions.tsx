// The open decisions as large buttons, the likeliest first.

import { useEffect, useRef, useState } from "preact/hooks";
import { faceOf } from "../palette";
import { money, spaceName } from "../format";
import { act } from "../link";
import { open, useStore } from "../store";
import type { Action, Button, Decision, View } from "../types";
import { Stepper } from "../sheets/Stepper";
import { DicePicker, DiceRow, handOf } from "./Dice";
import { Mark } from "./Mark";
import { Pool } from "./Pool";

export function Decisions({ view }: { view: View }) {
  const auctions = view.decisions.filter((decision) => decision.kind === "auction");
  const others = view.decisions.filter((decision) => decision.kind !== "auction");
  if (!view.decisions.length) return null;
  return (
    <section class="decisions" data-part="decisions">
      {auctions.length > 0 && <Auction view={view} bidders={auctions} />}
      {others.map((decision, at) => (
        <DecisionBox key={`${decision.kind}-${decision.player}-${at}`} view={view} decision={decision} place={view.decisions.indexOf(decision)} />
      ))}
    </section>
  );
}

function DecisionBox({ view, decision, place }: { view: View; decision: Decision; place: number }) {
  const rolls = decision.kind === "roll" || typeof decision.fields?.dice === "string";
  // Tapping dice in is folded away while the camera sees them.
  const camera = view.sight?.camera?.state;
  const [unfolded, unfold] = useState<boolean | null>(null);
  const folded = rolls && !(unfolded ?? !(camera === "well" || camera === "unsure"));
  const count = Math.min(4, decision.buttons.length) + Number(folded);
  return (
    <div class="decision" data-kind={decision.kind}>
      <p class="decision-text">
        {decision.player && <Mark face={faceOf(view.players, decision.player)} size={32} />}
        {decision.text}
        {decision.kind === "react" && view.game?.reaction_s && (
          <Countdown left={decision.left_s ?? view.game.reaction_s} />
        )}
      </p>
      {decision.table && <DiceTable table={decision.table} sides={handOf(decision.fields?.dice as string | undefined)[0] ?? 6} />}
      <div class={`choices of-${Math.min(4, count)}`}>
        {decision.buttons.slice(0, 4).map((button, at) => (
          <Choice button={button} first={at === 0 && button.likeliest !== false} />
        ))}
        {folded && (
          <button type="button" class="large quiet" onClick={() => unfold(true)}>
            Tap the dice in
          </button>
        )}
      </div>
      {rolls && !folded && <Throw decision={decision} onThrown={() => unfold(null)} />}
      {decision.kind === "share_dice" && <Pool decision={decision} view={view} />}
      {decision.kind === "move_to" && <p>Put the token there, or touch a lit space.</p>}
      {decision.kind !== "share_dice" && decision.choices && decision.choices.length > 0 && (
        <button type="button" class="large" onClick={() => open({ kind: "cards", decision: place })}>
          {{ draw: "Say which card", deal: "Say which deeds", move_to: "Say which space", take_property: "Say which property", forfeit: "Say which property" }[decision.kind] ?? "All choices"}
        </button>
      )}
    </div>
  );
}

/** How long is left to answer; it is the program that says no then. */
function Countdown({ left }: { left: number }) {
  const { came } = useStore();
  const end = came + 1000 * left;
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    const clock = setInterval(() => tick(Date.now()), 250);
    return () => clearInterval(clock);
  }, []);
  return (
    <small data-part="countdown" role="timer">
      {Math.max(0, Math.ceil((end - now) / 1000))} s
    </small>
  );
}

/** What each face of the die brings. */
function DiceTable({ table, sides }: { table: { faces: number[]; text: string }[]; sides: number }) {
  return (
    <ul class="dice-table" data-part="dice-table">
      {table.map(({ faces, text }) => (
        <li key={text}>
          <DiceRow dice={faces} sides={faces.map(() => sides)} size={28} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** A button of a decision: the reason where it is not possible, else what there is to know. */
export function Choice({ button, first }: { button: Button; first: boolean }) {
  const { waiting, link } = useStore();
  return (
    <button
      type="button"
      class={first ? "large likeliest" : "large"}
      disabled={!button.enabled || waiting || link !== "live"}
      onClick={() => void act(button.action)}
    >
      {button.label}
      {!button.enabled && button.reason && <small>{button.reason}</small>}
      {button.enabled && button.note && <small>{button.note}</small>}
    </button>
  );
}

/** Without camera and tower: tap the dice in, or let the app throw. */
function Throw({ decision, onThrown }: { decision: Decision; onThrown: () => void }) {
  const hand = handOf(typeof decision.fields?.dice === "string" ? decision.fields.dice : null);
  const roll = (faces: number[]) => {
    const action: Action = { roll: faces };
    if (decision.player) action.by = decision.player;
    onThrown();
    void act(action);
  };
  return (
    <div class="throw">
      <DicePicker hand={hand} onDone={roll} />
      <button type="button" class="large" onClick={() => roll(hand.map(chance))}>
        Throw for us
      </button>
    </div>
  );
}

/** A fair face: words above the last full round of `faces` are thrown away. */
function chance(faces: number): number {
  const limit = Math.floor(2 ** 32 / faces) * faces;
  for (;;) {
    const word = crypto.getRandomValues(new Uint32Array(1))[0] ?? limit;
    if (word < limit) return 1 + (word % faces);
  }
}

/** One row a bidder: everybody bids at once, in any order. */
function Auction({ view, bidders }: { view: View; bidders: Decision[] }) {
  const { board } = useStore();
  const [other, say] = useState<string | null>(null);
  const fields = bidders[0]?.fields ?? {};
  const high = fields.high as { player: string; amount: number } | null | undefined;
  const space = typeof fields.space === "string" ? fields.space : null;
  const lot = space ? spaceName(board, space) : typeof fields.building === "string" ? `a ${fields.building}` : "";
  return (
    <div class="decision auction" data-kind="auction">
      <p class="decision-text">
        {lot ? `Auction of ${lot}: ` : "Auction: "}
        {high ? `${high.player} bids ${money(high.amount, board)}.` : "no bid yet."}
      </p>
      {bidders.map((bidder) => (
        <div class="bidder" data-bidder={bidder.player} key={bidder.player}>
          <Mark face={faceOf(view.players, bidder.player)} size={40} />
          <span class="bidder-name">{bidder.player}</span>
          {bidder.buttons.map((button) => (
            <Choice button={button} first={false} />
          ))}
          <button
            type="button"
            class="large quiet"
            aria-label={`Another bid of ${bidder.player}`}
            aria-pressed={other === bidder.player}
            onClick={() => say(other === bidder.player ? null : bidder.player)}
          >
            …
          </button>
        </div>
      ))}
      {other !== null && bidders.some((bidder) => bidder.player === other) && (
        <OtherBid key={other} player={other} high={high?.amount ?? 0} onDone={() => say(null)} />
      )}
    </div>
  );
}

function OtherBid({ player, high, onDone }: { player: string; high: number; onDone: () => void }) {
  const { board, waiting } = useStore();
  const [sum, change] = useState(high);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div class="recount" ref={shown}>
      <Stepper value={sum} onChange={change} label={`bid of ${player}`} />
      <button
        type="button"
        class="large likeliest"
        disabled={waiting || sum <= high}
        onClick={() => void act({ bid: sum, by: player }).then((done) => done && onDone())}
      >
        {player} bids {money(sum, board)}
      </button>
    </div>
  );
}
