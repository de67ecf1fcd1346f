// Talking to the program: requests, the pushed view, and coming back after a break.

import { io } from "socket.io-client";
import { get, set } from "./store";
import type { Action, Board, View } from "./types";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const LOST = "The connection to Boardside is gone; it is being looked for.";

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new Refusal("lost", LOST);
  }
  const body = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
  if (!answer.ok) {
    throw new Refusal(String(body?.error ?? answer.status), String(body?.message ?? "Boardside did not understand that."));
  }
  return body as T;
}

export const read = <T>(path: string): Promise<T> => ask<T>(`api/${path}`);

export const send = <T>(path: string, body: unknown = {}): Promise<T> =>
  ask<T>(`api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

let noticeTimer = 0;

/** One sentence that goes away by itself and covers nothing. */
export function notice(text: string | null): void {
  window.clearTimeout(noticeTimer);
  set({ notice: text });
  if (text) noticeTimer = window.setTimeout(() => set({ notice: null }), 7000);
}

/** Sends something that changes the game, with the version that the finger saw; returns whether it was taken. */
export async function change(path: string, body: Record<string, unknown>): Promise<boolean> {
  const view = get().view;
  if (!view || get().waiting) return false;
  set({ waiting: true });
  try {
    await send(path, { version: view.version, ...body });
    notice(null);
    return true;
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error));
    if (error instanceof Refusal && error.code === "stale") void refresh();
    return false;
  } finally {
    set({ waiting: false });
  }
}

export const act = (action: Action): Promise<boolean> => change("act", { action });

export async function refresh(): Promise<void> {
  try {
    take(await read<View>("view"));
  } catch (error) {
    if (error instanceof Refusal && error.code !== "lost") notice(error.message);
  }
}

// The program may have been restarted: its first view counts, whatever was shown before.
let isFirst = true;

/** Takes a view unless a newer one is already shown: what is pushed may overtake what was asked for. */
export function take(view: View): void {
  const shown = get().view;
  const sameGame = shown?.game?.id === view.game?.id;
  if (shown && !isFirst && sameGame && view.serial < shown.serial) return;
  isFirst = false;
  const change: Parameters<typeof set>[0] = { view, came: Date.now() };
  if (!sameGame) Object.assign(change, { sheet: null, picked: null, moving: null, another: false });
  set(change);
  if (view.game && get().boardOf !== view.game.id) void loadBoard(view.game.id);
}

async function loadBoard(game: string): Promise<void> {
  set({ boardOf: game });
  try {
    set({ board: await read<Board>("board") });
  } catch {
    set({ boardOf: null });
  }
}

export function connect(): void {
  const socket = io({ reconnectionDelay: 300, reconnectionDelayMax: 2000, transports: ["websocket", "polling"] });
  socket.on("connect", () => {
    isFirst = true;
    set({ link: "live", boardOf: get().board ? get().boardOf : null });
    void refresh();
  });
  socket.on("view", take);
  socket.on("disconnect", () => set({ link: "lost" }));
  socket.on("connect_error", () => set({ link: "lost" }));
  window.addEventListener("online", () => socket.connect());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !socket.connected) socket.connect();
  });
}
