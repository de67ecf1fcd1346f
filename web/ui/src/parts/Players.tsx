// The players: cash, deeds by group, buildings.

import { faceOf, GROUP_ORDER, GROUPS } from "../palette";
import { money } from "../format";
import { open, useStore } from "../store";
import type { Board, SpaceState, View } from "../types";
import { Badges } from "./Badges";
import { Mark } from "./Mark";

export function Players({ view }: { view: View }) {
  const { board } = useStore();
  const names = view.players.map((player) => player.name);
  return (
    <section class={`players of-${names.length}`} data-part="players">
      {names.map((name) => (
        <PlayerChip key={name} name={name} view={view} board={board} />
      ))}
    </section>
  );
}

function PlayerChip({ name, view, board }: { name: string; view: View; board: Board | null }) {
  const state = view.snapshot?.players[name];
  const face = faceOf(view.players, name);
  const seat = view.seats?.[name];
  const turn = view.snapshot?.turn.player === name && view.phase === "play";
  const out = state?.status === "bankrupt";
  const badges = view.badges?.[name];
  const moneyless = view.game?.variant === "watch";
  const role = roleOf(state?.status, view);
  return (
    <button
      type="button"
      class={`player${turn ? " turn" : ""}${out ? " out" : ""}${role ? ` ${role}` : ""}`}
      style={{ "--own": face.fill }}
      onClick={() => open({ kind: "player", player: name })}
      data-player={name}
    >
      <Mark face={face} size={40} dim={out} />
      <span class="player-words">
        <span class="player-name">
          <span class="own-name">{name}</span>
          {seat?.team && <span class="player-team"> {seat.team.name}</span>}
          <Badges badges={badges} wanted={false} />
        </span>
        {seat && !out ? (
          <span class="player-class">
            {seat.classes.join(" & ")} {seat.level}
            {seat.hidden ? ", hidden" : ""}
          </span>
        ) : null}
        <span class={moneyless || role ? "player-cash in-words" : "player-cash"}>
          {role ?? (out ? "bankrupt" : moneyless ? `${state?.laps ?? 0} ${state?.laps === 1 ? "round" : "rounds"}` : money(state?.cash ?? 0, board))}
        </span>
        <span class="player-deeds">
          <Deeds name={name} view={view} board={board} />
        </span>
        <Badges badges={badges} wanted />
      </span>
    </button>
  );
}

/** What somebody is, where that says more than the cash: zombies and the homeless have none, survivors need none. */
function roleOf(status: string | undefined, view: View): string | null {
  if (!status || status === "bankrupt") return null;
  return status !== "human" ? status : view.snapshot?.stage === "apocalypse" ? "human" : null;
}

/** One small bar a deed, together by group; mortgaged ones hollow. */
export function Deeds({ name, view, board }: { name: string; view: View; board: Board | null }) {
  const owned = deedsOf(name, view, board);
  return (
    <span class="deeds" aria-label={`${owned.length} deeds`}>
      {GROUP_ORDER.map((group) => {
        const deeds = owned.filter((space) => space.group === group);
        if (!deeds.length) return null;
        return (
          <span class="deed-group">
            {deeds.map((space) => (
              <i
                class={view.snapshot?.spaces[space.space]?.mortgaged ? "chip hollow" : "chip"}
                style={{ "--group": GROUPS[group] }}
              />
            ))}
          </span>
        );
      })}
      <Houses owned={owned.map((space) => view.snapshot?.spaces[space.space])} />
    </span>
  );
}

/** How many houses and hotels stand on somebody's streets. */
function Houses({ owned }: { owned: (SpaceState | undefined)[] }) {
  const houses = owned.reduce((sum, one) => sum + (one?.houses ?? 0), 0);
  const hotels = owned.filter((one) => one?.hotel).length;
  if (!houses && !hotels) return null;
  return (
    <span class="standing" aria-label={`${houses} houses, ${hotels} hotels`}>
      {houses > 0 && (
        <>
          <svg viewBox="0 0 16 16">
            <path d="M3 14V7l5-5 5 5v7z" />
          </svg>
          {houses}
        </>
      )}
      {hotels > 0 && (
        <>
          <svg viewBox="0 0 22 16">
            <path d="M2 14V6l4-4h10l4 4v8z" />
          </svg>
          {hotels}
        </>
      )}
    </span>
  );
}

export function deedsOf(name: string, view: View, board: Board | null) {
  return (board?.spaces ?? []).filter((space) => view.snapshot?.spaces[space.space]?.owner === name);
}
