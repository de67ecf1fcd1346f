// Which spaces of the board are choices now: found in the buttons of the open decisions.

import type { Action, Board, Button, View, Way } from "../types";

const KEYS = ["choose", "on", "space", "build", "unbuild", "mortgage", "unmortgage"];

function spaceOf(action: Action, known: Set<string>): string | null {
  for (const key of KEYS) {
    const value = action[key];
    if (typeof value === "string" && known.has(value)) return value;
  }
  return null;
}

const slugs = (board: Board | null): Set<string> => new Set(board?.spaces.map((space) => space.space));

/** Space → the button that names it: of what is being aimed (null: more than one), or of the open decisions. */
export function litSpaces(view: View, board: Board | null, aims: Way[]): Map<string, Button | null> {
  const known = slugs(board);
  const lit = new Map<string, Button | null>();
  for (const aim of aims) {
    const target = typeof aim.action.target === "string" ? view.snapshot?.players[aim.action.target]?.at : null;
    const space = target ?? spaceOf(aim.action, known);
    if (space) lit.set(space, lit.has(space) ? null : { ...aim, enabled: true });
  }
  for (const decision of view.decisions) {
    for (const button of [...decision.buttons, ...(decision.choices ?? [])]) {
      const space = button.space ?? spaceOf(button.action, known);
      if (space && button.enabled && !lit.has(space)) lit.set(space, button);
    }
  }
  return lit;
}

/** What the players may do with one space now, as [player, button]. */
export function doableOn(view: View, board: Board | null, space: string): [string, Button][] {
  const known = slugs(board);
  const found: [string, Button][] = [];
  for (const [player, buttons] of Object.entries(view.manage)) {
    for (const button of buttons) if (spaceOf(button.action, known) === space) found.push([player, button]);
  }
  return found;
}
