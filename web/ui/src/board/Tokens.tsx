// Tokens glide along the spaces they cross.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CopShape, MarkShape } from "../parts/Mark";
import { faceOf } from "../palette";
import { COP, set, useStore } from "../store";
import type { Board, Button, View } from "../types";
import { crossed, type Point, radius, standing } from "./geometry";

export function Tokens({ view, board, lit }: { view: View; board: Board; lit: Map<string, Button | null> | null }) {
  const { moving } = useStore();
  const states = Object.entries(view.snapshot?.players ?? {}).filter(([, state]) => state.at !== null);
  const index = (slug: string | null): number => board.spaces.findIndex((space) => space.space === slug);
  const cop = view.snapshot?.cop;
  // The Cop takes a place of his own among those who stand on his space.
  const standers = [...states, ...(cop ? [[COP, { at: cop.at, in_jail: false }] as const] : [])];
  const companyOf = (at: string | null, jailed: boolean) => standers.filter(([, other]) => other.at === at && other.in_jail === jailed);
  // Where a space is to be touched, a token on it does not stand in the way.
  const touchOf = (name: string, at: string | null): Touch =>
    moving !== null && moving !== name ? "none" : at !== null && lit?.has(at) ? "mark" : "wide";
  // Whose turn it is stands in front.
  const mover = view.snapshot?.turn.player;
  const ordered = [...states].sort(([a], [b]) => Number(a === mover) - Number(b === mover));
  return (
    <g class="tokens">
      {ordered.map(([name, state]) => {
        const company = companyOf(state.at, state.in_jail);
        const at = index(state.at);
        if (at < 0) return null;
        const place = company.findIndex(([other]) => other === name);
        return (
          <Token
            key={name}
            name={name}
            at={at}
            jailed={state.in_jail}
            zombie={state.status === "zombie"}
            r={radius(company.length)}
            spot={standing(at, place, company.length, state.in_jail)}
            isMover={name === mover}
            isPicked={moving === name}
            touch={touchOf(name, state.at)}
          >
            <MarkShape face={faceOf(view.players, name)} r={radius(company.length)} />
          </Token>
        );
      })}
      {cop && <Cop at={index(cop.at)} out={cop.out} company={companyOf(cop.at, false)} isPicked={moving === COP} touch={touchOf(COP, cop.at)} />}
    </g>
  );
}

/** How far around a token a finger finds it. */
type Touch = "wide" | "mark" | "none";

interface CopProps {
  at: number;
  out: boolean;
  company: readonly unknown[];
  isPicked: boolean;
  touch: Touch;
}

/** He stands behind nobody: drawn last. */
function Cop({ at, out, company, isPicked, touch }: CopProps) {
  if (at < 0) return null;
  const count = company.length;
  return (
    <Token name={COP} at={at} jailed={false} zombie={false} r={radius(count)} spot={standing(at, count - 1, count, false)} isMover={false} isPicked={isPicked} touch={touch} dim={!out}>
      <CopShape r={radius(count)} />
    </Token>
  );
}

interface TokenProps {
  name: string;
  at: number;
  jailed: boolean;
  zombie: boolean;
  r: number;
  spot: Point;
  isMover: boolean;
  isPicked: boolean;
  touch: Touch;
  /** It stands there and does nothing now. */
  dim?: boolean;
  children: ComponentChildren;
}

function Token({ name, at, jailed, zombie, r, spot, isMover, isPicked, touch, dim, children }: TokenProps) {
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
      class={`token${isMover ? " mover" : ""}${isPicked ? " picked" : ""}${zombie ? " zombie" : ""}${dim ? " dim" : ""}${touch === "none" ? " through" : ""}`}
      style={{ transform: `translate(${spot.x}px, ${spot.y}px)` }}
      role="button"
      tabIndex={0}
      aria-label={name === COP ? "The Cop" : `${name}'s token`}
      data-token={name.trim()}
      data-at={at}
      onClick={(event) => {
        event.stopPropagation();
        tap();
      }}
      onKeyDown={(event) => event.key === "Enter" && tap()}
    >
      <circle class="touch" r={touch === "wide" ? r + 17 : r} />
      {isMover && <circle class="halo" r={r + 8} />}
      {children}
    </g>
  );
}
