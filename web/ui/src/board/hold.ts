// A finger that stays: a second meaning for what a touch chooses at once.

import { useRef } from "preact/hooks";

/** How long it stays until it means something else, in ms. */
const HOLD_MS = 500;

interface Touched {
  onPointerDown: () => void;
  onPointerUp: () => void;
  onPointerLeave: () => void;
  onPointerCancel: () => void;
  onContextMenu: (event: Event) => void;
  onClick: () => void;
}

/** Handlers that tell a tap from a hold; without `onHold` every touch is a tap. */
export function useTouch(onTap: () => void, onHold?: () => void): Touched {
  const timer = useRef(0);
  const held = useRef(false);
  const end = () => window.clearTimeout(timer.current);
  return {
    onPointerDown: () => {
      end();
      held.current = false;
      if (!onHold) return;
      timer.current = window.setTimeout(() => {
        held.current = true;
        onHold();
      }, HOLD_MS);
    },
    onPointerUp: end,
    onPointerLeave: end,
    onPointerCancel: end,
    // Where holding opens a menu of the browser's own.
    onContextMenu: (event) => event.preventDefault(),
    onClick: () => {
      if (!held.current) onTap();
      held.current = false;
    },
  };
}
