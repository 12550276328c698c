import { describe, expect, it } from "vitest";
import { levelPrices, planFrom } from "../../../src/features/odds/levels.ts";

const from = { close: 200, atr: 4 };
const at = { ...from, bars: 20 };
const invalid = (pointer: string, message: RegExp) =>
  expect.objectContaining({
    code: "INVALID_INPUT",
    message: expect.stringMatching(message),
    hint: expect.stringMatching(/\S/),
    data: { errors: [{ pointer, detail: expect.any(String) }] },
  });
const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("levels", () => {
  it("are prices, or percents of the close; a percent without a sign is both sides", () => {
    expect(levelPrices(["190.5", "$210", "-2.5 %", "10%"], from)).toEqual([190.5, 210, 195, 220, 180]);
  });

  it("are multiples of the average true range from the close", () => {
    expect(levelPrices(["2 ATR", "-1.5 ATR"], from)).toEqual([208, 192, 194]);
    expect(planFrom({ stop: "-1 ATR", target: "2 ATR" }, at)).toMatchObject({ stop: 196, target: 208 });
    expect(thrownBy(() => levelPrices(["-60 ATR"], from))).toEqual(invalid("/levels/0", /not above 0/));
  });

  it("are distinct", () => {
    expect(levelPrices(["210", "+5%", "210.0"], from)).toEqual([210]);
  });

  it.each([
    ["0", /not above 0/],
    ["-100%", /not above 0/],
    ["200", /last close itself/],
    ["+0%", /last close itself/],
    ["200.004", /last close itself/],
    ["-0.001%", /last close itself/],
    ["9.99", /20 times away/],
    ["4001", /20 times away/],
  ])("refuse %s", (text, message) => {
    expect(thrownBy(() => levelPrices(["190", text], from))).toEqual(invalid("/levels/1", message));
  });
});

describe("a price with a thousands separator", () => {
  it("is refused with a hint, since a comma separates levels", () => {
    expect(thrownBy(() => levelPrices(["1500", "1"], { close: 1400, atr: 20 }))).toMatchObject({
      hint: expect.stringContaining("1500, not 1,500"),
    });
  });
});

describe("a plan", () => {
  it("has the side that follows from the close between stop and target", () => {
    expect(planFrom({ stop: "190", target: "+10%" }, at)).toEqual({
      side: "LONG",
      stop: 190,
      target: 220,
      bars: 20,
    });
    expect(planFrom({ stop: "+4%", target: "180" }, at)).toEqual({
      side: "SHORT",
      stop: 208,
      target: 180,
      bars: 20,
    });
  });

  it("is null without stop and target", () => {
    expect(planFrom({}, at)).toBeNull();
  });

  it("requires both, and the close between them", () => {
    expect(thrownBy(() => planFrom({ stop: "190" }, at))).toEqual(invalid("/target", /stop requires target/));
    expect(thrownBy(() => planFrom({ target: "190" }, at))).toEqual(invalid("/stop", /target requires stop/));
    expect(thrownBy(() => planFrom({ stop: "190", target: "195" }, at))).toEqual(
      invalid("/stop", /200\.00 is not between stop 190\.00 and target 195\.00/),
    );
  });

  it("reads a percent without a sign on the other side of the close than the other level", () => {
    expect(planFrom({ stop: "5%", target: "220" }, at)).toMatchObject({
      side: "LONG",
      stop: 190,
      target: 220,
    });
    expect(planFrom({ stop: "+4%", target: "10%" }, at)).toMatchObject({
      side: "SHORT",
      stop: 208,
      target: 180,
    });
  });

  it("rejects two percents without a sign, whose sides are unclear", () => {
    expect(thrownBy(() => planFrom({ stop: "5%", target: "10%" }, at))).toEqual(
      invalid("/stop", /stop 5% and target 10% have no sign/),
    );
  });

  it("accepts a level that is exactly 20 times away", () => {
    expect(levelPrices(["-95%"], from)).toEqual([10]);
    expect(thrownBy(() => levelPrices(["-95.1%"], from))).toMatchObject({ code: "INVALID_INPUT" });
  });
});
