import { expect, it } from "vitest";
import { displayWidth } from "../../../src/lib/display-width.ts";
import { wrapLines } from "../../../src/lib/wrap-lines.ts";
import { formatAnswer } from "../../../src/transports/cli/answer.text.ts";
import { painter } from "../../../src/transports/cli/screen.ts";
import { useExampleAnswers } from "../../support/example-answers.ts";
import { testScreen } from "./test-host.ts";

const COLUMNS = 80;
/** Ids, cursors, keys and addresses, which are never broken. */
const UNBREAKABLE = /\S{60,}/;

const { answers } = useExampleAnswers();

it("fits every answer of a published example into 80 columns, tables without wrapping", () => {
  const paint = painter(testScreen({ columns: COLUMNS }).screen);
  const tooWide = answers.flatMap(({ tool, data, full }) => {
    const answer = Object.keys(full).length > 0 ? full : data;
    const text = tool.terminal?.(answer as never, paint) ?? formatAnswer(answer, paint);
    const lines = wrapLines(text, COLUMNS).split("\n");
    const isTable = /^ *\S+(?: {2,}\S+){3,}$/; // short cells only
    return [
      ...lines.filter((line) => displayWidth(line) > COLUMNS && !UNBREAKABLE.test(line)),
      ...text.split("\n").filter((line) => displayWidth(line) > COLUMNS && isTable.test(line)),
    ].map((line) => `${tool.name}: ${line}`);
  });
  expect(tooWide).toEqual([]);
});
