// The page's state: what the program last pushed, and what this tablet has open.

import { useEffect, useState } from "preact/hooks";
import type { Board, View, Way } from "./types";

export type Link = "connecting" | "live" | "lost";

/** Stands for the Cop where players are named: no player of a game with a Cop is `moving` under this name. */
export const COP = " cop";

/** What is open on this tablet, over nothing but its own place. */
export type Sheet =
  | { kind: "correct"; entry: number }
  | { kind: "why"; entry: number }
  | { kind: "story" }
  | { kind: "entry"; entry: number }
  | { kind: "player"; player: string }
  | { kind: "trade"; player: string; with?: string }
  | { kind: "cards"; decision: number }
  | { kind: "sight" }
  | { kind: "rules" }
  | { kind: "reactions" }
  | { kind: "picture"; picture: string; back: Sheet | null };

export interface State {
  view: View | null;
  /** When the view came, by this tablet's clock, in ms. */
  came: number;
  board: Board | null;
  boardOf: string | null;
  link: Link;
  sheet: Sheet | null;
  /** The space whose deed is shown in the middle of the board. */
  picked: string | null;
  /** The player whose token is being put where it really stands. */
  moving: string | null;
  /** Ways to do what is open on a sheet: their targets are lit on the board. */
  aims: Way[];
  notice: string | null;
  waiting: boolean;
  /** The set-up of another game is open over the one that is played. */
  another: boolean;
}

let state: State = {
  view: null,
  came: 0,
  board: null,
  boardOf: null,
  link: "connecting",
  sheet: null,
  picked: null,
  moving: null,
  aims: [],
  notice: null,
  waiting: false,
  another: false,
};

const listeners = new Set<() => void>();

export function get(): State {
  return state;
}

export function set(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of [...listeners]) listener();
}

/** Runs after every change; returns the function that ends it. */
export function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useStore(): State {
  const [seen, update] = useState(state);
  useEffect(() => {
    const off = watch(() => update(get()));
    update(get());
    return off;
  }, []);
  return seen;
}

export const open = (sheet: Sheet | null): void => set({ sheet, moving: null });
