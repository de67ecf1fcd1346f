// A question from the referee is a strip, not a dialog: play goes on over it.

import { useEffect, useRef, useState } from "preact/hooks";
import { change } from "../link";
import { useStore } from "../store";
import type { Question, View } from "../types";
import { handOf, ThrowPicker } from "./Dice";
import { Picture } from "./Picture";

export function Questions({ view }: { view: View }) {
  if (!view.questions.length) return null;
  return (
    <section class="questions" data-part="questions" aria-live="polite">
      {view.questions.map((question) => (
        <Strip key={question.id} question={question} />
      ))}
    </section>
  );
}

function Strip({ question }: { question: Question }) {
  const { waiting, link } = useStore();
  const [unfolded, unfold] = useState(false);
  const hand = typeof question.facts?.wanted === "string" ? handOf(question.facts.wanted) : null;
  const answer = (option: unknown) => void change("answer", { question: question.id, option });
  return (
    <div class="question" data-about={question.about}>
      {question.picture && <Picture picture={question.picture} alt="What the camera saw" />}
      <div class="asked">
        <p>{question.text}</p>
        <div class="answers">
          {question.options.map(({ option, label, probability }) => (
            <button
              type="button"
              class="bar"
              disabled={waiting || link !== "live"}
              style={probability != null ? { "--share": probability } : undefined}
              onClick={() => answer(option)}
            >
              {label}
            </button>
          ))}
          {hand && (
            <button type="button" class="quiet" aria-expanded={unfolded} onClick={() => unfold(!unfolded)}>
              Other dice
            </button>
          )}
        </div>
      </div>
      {hand && unfolded && <OtherDice question={question} hand={hand} onDone={answer} />}
    </div>
  );
}

/** Any throw the hand can have; of several dice those are put right that are wrong in the likeliest reading. */
function OtherDice({ question, hand, onDone }: { question: Question; hand: number[]; onDone: (faces: number[]) => void }) {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: "nearest" }), []);
  const readings = question.options.map(({ option }) => option).filter((option): option is number[] => Array.isArray(option));
  return (
    <div class="other" ref={shown}>
      <ThrowPicker hand={hand} read={readings.find((faces) => faces.length === hand.length)} onDone={onDone} />
    </div>
  );
}
