// One screen beside the board.

import { Board } from "./board/Board";
import { notice } from "./link";
import { faceOf } from "./palette";
import { Decisions } from "./parts/Decisions";
import { Log } from "./parts/Log";
import { Now } from "./parts/Now";
import { Players } from "./parts/Players";
import { Questions } from "./parts/Questions";
import { Problems, Repair } from "./parts/Repair";
import { Outlook, Records } from "./parts/Outlook";
import { Stage } from "./parts/Stage";
import { Status } from "./parts/Status";
import { Over } from "./parts/Over";
import { Setup } from "./setup/Setup";
import { Sheets } from "./sheets/Sheet";
import { useStore } from "./store";

export function App() {
  const { view, link, another } = useStore();
  if (!view) {
    return <main class="waiting">{link === "lost" ? "Boardside cannot be reached; it is being looked for." : "Boardside"}</main>;
  }
  return another || view.phase === "setup" ? <Setup view={view} /> : <Table />;
}

function Table() {
  const { view, link, sheet } = useStore();
  if (!view) return null;
  const mover = view.snapshot?.turn.player;
  const style = mover ? { "--accent": faceOf(view.players, mover).fill } : undefined;
  return (
    <main
      class={`table${link === "live" ? "" : " cut"}${sheet ? " with-sheet" : ""}`}
      style={style}
      data-variant={view.game?.variant}
      data-stage={view.snapshot?.stage}
      data-version={view.version}
      data-link={link}
    >
      <div class="left">
        <Board view={view} />
        <Players view={view} />
      </div>
      <div class="right">
        <Status view={view} />
        <div class={view.repair.length + view.questions.length + view.problems.length > 0 ? "flow full" : "flow"}>
          <Problems view={view} />
          <Stage view={view} />
          <Outlook view={view} />
          {view.phase === "over" ? <Over view={view} /> : <Now view={view} />}
          <Decisions view={view} />
          <Records view={view} where="below" />
          <Repair view={view} />
          <Questions view={view} />
          <Log view={view} />
        </div>
        <Sheets view={view} />
      </div>
      <Notice />
    </main>
  );
}

export function Notice() {
  const { notice: text } = useStore();
  if (!text) return null;
  return (
    <button type="button" class="notice" role="alert" data-part="notice" onClick={() => notice(null)}>
      {text}
    </button>
  );
}
