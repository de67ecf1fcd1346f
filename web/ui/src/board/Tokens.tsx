// Tokens glide along the spaces they cross.

import { useLayoutEffect, useRef } from "preact/hooks";
import { MarkShape } from "../parts/Mark";
import { faceOf } from "../palette";
import { set, useStore } from "../store";
import type { Board, PlayerState, View } from "../types";
import { crossed, type Point, radius, standing } from "./geometry";

export function Tokens({ view, board }: { view: View; board: Board }) {
  const { moving } = useStore();
  const states = Object.entries(view.snapshot?.players ?? {}).filter(([, state]) => state.at !== null);
  const index = (slug: string | null): number => board.spaces.findIndex((space) => space.space === slug);
  const companyOf = (state: PlayerState) => states.filter(([, other]) => other.at === state.at && other.in_jail === state.in_jail);
  // Whose turn it is stands in front.
  const mover = view.snapshot?.turn.player;
  const ordered = [...states].sort(([a], [b]) => Number(a === mover) - Number(b === mover));
  return (
    <g class="tokens">
      {ordered.map(([name, state]) => {
        const company = companyOf(state);
        const at = index(state.at);
        if (at < 0) return null;
        const place = company.findIndex(([other]) => other === name);
        return (
          <Token
            key={name}
            name={name}
            view={view}
            at={at}
            jailed={state.in_jail}
            zombie={state.status === "zombie"}
            r={radius(company.length)}
            spot={standing(at, place, company.length, state.in_jail)}
            isMover={name === mover}
            isPicked={moving === name}
          />
        );
      })}
    </g>
  );
}

interface TokenProps {
  name: string;
  view: View;
  at: number;
  jailed: boolean;
  zombie: boolean;
  r: number;
  spot: Point;
  isMover: boolean;
  isPicked: boolean;
}

function Token({ name, view, at, jailed, zombie, r, spot, isMover, isPicked }: TokenProps) {
  const shape = useRef<SVGGElement>(null);
  const before = useRef({ at, jailed, spot });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { at, jailed, spot };
    if (old.spot.x === spot.x && old.spot.y === spot.y) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || !shape.current?.animate) return;
    const straight = old.at === at || (jailed && !old.jailed);
    const way = [old.spot, ...(straight ? [] : crossed(old.at, at)), spot];
    shape.current.animate(
      way.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` })),
      { duration: Math.min(600, 200 + way.length * 40), easing: "ease-in-out" },
    );
  }, [at, jailed, spot.x, spot.y]);
  const tap = () => set({ moving: isPicked ? null : name, picked: null });
  return (
    <g
      ref={shape}
      class={`token${isMover ? " mover" : ""}${isPicked ? " picked" : ""}${zombie ? " zombie" : ""}`}
      style={{ transform: `translate(${spot.x}px, ${spot.y}px)` }}
      role="button"
      tabIndex={0}
      aria-label={`${name}'s token`}
      data-token={name}
      data-at={at}
      onClick={(event) => {
        event.stopPropagation();
        tap();
      }}
      onKeyDown={(event) => event.key === "Enter" && tap()}
    >
      <circle class="touch" r={r + 17} />
      {isMover && <circle class="halo" r={r + 8} />}
      <MarkShape face={faceOf(view.players, name)} r={r} />
    </g>
  );
}
