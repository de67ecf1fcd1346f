// A question from the referee is a strip, not a dialog: play goes on over it.

import { change } from "../link";
import { useStore } from "../store";
import type { View } from "../types";
import { Picture } from "./Picture";

export function Questions({ view }: { view: View }) {
  const { waiting, link } = useStore();
  if (!view.questions.length) return null;
  return (
    <section class="questions" data-part="questions" aria-live="polite">
      {view.questions.map((question) => (
        <div class="question" key={question.id} data-about={question.about}>
          {question.picture && <Picture picture={question.picture} alt="What the camera saw" />}
          <div>
            <p>{question.text}</p>
            <div class="answers">
              {question.options.map(({ option, label, probability }) => (
                <button
                  type="button"
                  class="bar"
                  disabled={waiting || link !== "live"}
                  style={probability != null ? { "--share": probability } : undefined}
                  onClick={() => void change("answer", { question: question.id, option })}
                >
                  {label}
                </button>
              ))}
            </div>
          </div>
        </div>
      ))}
    </section>
  );
}
