// The middle of the board: a deed where one was touched, else the Bank and the name of the game.

import { called, money, sentence, words } from "../format";
import { faceOf, GROUPS } from "../palette";
import { CopMark, Mark } from "../parts/Mark";
import { Records } from "../parts/Outlook";
import { act } from "../link";
import { COP, open, set, useStore } from "../store";
import type { Board, Snapshot, Space, SpaceState, View } from "../types";
import { doableOn } from "./lit";

interface MiddleProps {
  view: View;
  board: Board;
  /** A tap on a lit space chooses it. */
  chooses: boolean;
}

export function Middle({ view, board, chooses }: MiddleProps) {
  const { picked, moving } = useStore();
  // A decision about one property shows its deed by itself.
  const about = view.decisions.map((decision) => decision.fields?.space).find((one) => typeof one === "string");
  const space = board.spaces.find((one) => one.space === (picked ?? about));
  return (
    <div class="middle">
      {moving ? <WhereReally name={moving} view={view} board={board} /> : space ? <Deed space={space} view={view} board={board} /> : <Title view={view} board={board} chooses={chooses} />}
    </div>
  );
}

function Title({ view, board, chooses }: MiddleProps) {
  const snapshot = view.snapshot;
  const variant = view.game?.variant ?? "classic";
  const stage = snapshot && snapshot.stage !== "play" ? snapshot.stage : null;
  return (
    <div class="title">
      <p class="name">{variant === "classic" ? "Boardside" : (view.game?.title ?? sentence(words(variant)))}</p>
      {stage && <p class="stage">{sentence(stage)}</p>}
      {snapshot && variant !== "watch" && (
        <p class="bank">
          {stockOf(snapshot.bank, board)}
          {snapshot.pot > 0 && <> · {money(snapshot.pot, board)} in the pot</>}
        </p>
      )}
      <Records view={view} where="inside" />
      <p class="hint">
        {chooses
          ? "Touch a lit space to choose it, hold it for its deed."
          : "Touch a space for its deed, a token to say where it really stands."}
      </p>
    </div>
  );
}

function stockOf({ houses, hotels }: Snapshot["bank"], board: Board): string {
  if (houses === null || hotels === null) return `The Bank never runs out of ${called(board, "house", 2)} and ${called(board, "hotel", 2)}`;
  return `The Bank has ${houses} ${called(board, "house", houses)} and ${hotels} ${called(board, "hotel", hotels)}`;
}

function WhereReally({ name, view, board }: { name: string; view: View; board: Board }) {
  const at = name === COP ? view.snapshot?.cop?.at : view.snapshot?.players[name]?.at;
  const under = board.spaces.find((space) => space.space === at);
  return (
    <div class="where">
      {name === COP ? <CopMark size={72} /> : <Mark face={faceOf(view.players, name)} size={72} />}
      <p class="ask">Where does {name === COP ? "the Cop" : name} really stand?</p>
      <p>Touch the space.</p>
      <div class="row">
        {name !== COP && (
          <button type="button" onClick={() => stands(name, "jail", true)}>
            In Jail
          </button>
        )}
        <button type="button" onClick={() => set({ moving: null })}>
          Leave it
        </button>
        {under && (
          <button type="button" onClick={() => set({ moving: null, picked: under.space })}>
            Show this space
          </button>
        )}
      </div>
    </div>
  );
}

/** Says by hand where a token really is. */
export function stands(name: string, space: string, jailed = false): void {
  set({ moving: null });
  void act({ set: name === COP ? { cop: { at: space } } : { players: { [name]: { at: space, in_jail: jailed } } } });
}

function Deed({ space, view, board }: { space: Space; view: View; board: Board }) {
  const { picked } = useStore();
  const state = view.snapshot?.spaces[space.space];
  const here = Object.entries(view.snapshot?.players ?? {}).filter(([, player]) => player.at === space.space);
  const color = GROUPS[space.group ?? ""];
  const doable = doableOn(view, board, space.space);
  return (
    <div class="deed" data-part="deed">
      <div class="deed-head" style={color ? { borderTopColor: color } : undefined}>
        <h2>{space.name}</h2>
        {picked && (
          <button type="button" class="icon" aria-label="Close the deed" onClick={() => set({ picked: null })}>
            ×
          </button>
        )}
      </div>
      {view.game?.variant !== "watch" && (
        <>
          <DeedOwner owner={state?.owner} mortgaged={state?.mortgaged} space={space} view={view} board={board} />
          <Rents key={space.space} space={space} state={state} board={board} />
        </>
      )}
      {here.length > 0 && (
        <p class="here">
          <small>Here:</small>
          {here.map(([name, player]) => (
            <button type="button" class="plain" key={name} aria-label={`${name} stands elsewhere`} onClick={() => set({ moving: name, picked: null })}>
              <Mark face={faceOf(view.players, name)} size={32} />
              {space.index === 10 ? `${name} ${player.in_jail ? "in jail" : "visiting"}` : name}
            </button>
          ))}
        </p>
      )}
      <div class="deed-doable">
        {doable.map(([player, button]) => (
          <button type="button" disabled={!button.enabled} title={button.reason ?? undefined} onClick={() => void act(button.action)}>
            {button.label}
            {!button.enabled && button.reason && <small>{button.reason}</small>}
            <span class="unseen"> ({player})</span>
          </button>
        ))}
      </div>
    </div>
  );
}

interface OwnerProps {
  owner: string | null | undefined;
  mortgaged: boolean | undefined;
  space: Space;
  view: View;
  board: Board;
}

function DeedOwner({ owner, mortgaged, space, view, board }: OwnerProps) {
  if (!space.price) return null;
  if (!owner) return <p class="deed-owner">For sale: {money(space.price, board)}</p>;
  return (
    <button type="button" class="deed-owner plain" onClick={() => open({ kind: "player", player: owner })}>
      <Mark face={faceOf(view.players, owner)} size={32} />
      {owner}
      {mortgaged && <strong> · mortgaged</strong>}
    </button>
  );
}

/** The rents of a deed; on a street that somebody owns a touch says what really stands there. */
function Rents({ space, state, board }: { space: Space; state: SpaceState | undefined; board: Board }) {
  const rents = space.rent ?? space.times ?? [];
  if (!rents.length) return null;
  const street = space.kind === "street";
  const step = state?.hotel ? rents.length - 1 : (state?.houses ?? 0);
  const owned = street && Boolean(state?.owner);
  return (
    <>
      <div class={`rents of-${rents.length}`}>
        {rents.map((rent, at) => (
          <button
            type="button"
            class={owned && at === step ? "rent picked" : "rent"}
            disabled={!owned}
            aria-label={`${rentLabel(space, at, board)}: ${money(rent, board)}`}
            onClick={() => at !== step && stand(space, rents.length - 1, at)}
          >
            <small>{rentLabel(space, at, board)}</small>
            {space.kind === "utility" ? `${rent} × dice` : money(rent, board)}
          </button>
        ))}
      </div>
      {space.house ? (
        <p class="cost">
          A {called(board, "house")} costs {money(space.house, board)}.{owned && " Touch what stands here."}
        </p>
      ) : null}
    </>
  );
}

/** Says by hand what stands on a street: `step` houses, or the hotel at the last step. */
function stand(space: Space, last: number, step: number): void {
  const stands = step === last ? { houses: 0, hotel: true } : { houses: step, hotel: false };
  void act({ set: { spaces: { [space.space]: stands } } });
}

function rentLabel(space: Space, at: number, board: Board): string {
  if (space.kind !== "street") return `${at + 1} owned`;
  if (at === 0) return "Rent";
  return at === 5 ? sentence(called(board, "hotel")) : `${at} ${called(board, "house", at)}`;
}
