import { describe, expect, it } from "vitest";
import { companyName } from "../../../src/providers/nasdaqtrader/company-name.ts";

describe("the name in a security's title", () => {
  it.each([
    ["Agilent Technologies, Inc. Common Stock", "Agilent Technologies, Inc."],
    ["Zymeworks Inc. - Common Stock", "Zymeworks Inc."],
    ["Gaia, Inc. - Class A Common Stock", "Gaia, Inc."],
    [
      "Zhengye Biotechnology Holding Limited - Class A Ordinary Shares",
      "Zhengye Biotechnology Holding Limited",
    ],
    ["American Vanguard Corporation Common Stock ($0.10 Par Value)", "American Vanguard Corporation"],
    [
      "Sequans Communications S.A. American Depositary Shares (each representing one hundred (100) Ordinary Shares)",
      "Sequans Communications S.A.",
    ],
    [
      "Nuveen Massachusetts Quality Municipal Income Fund Common Shares of Beneficial Interest",
      "Nuveen Massachusetts Quality Municipal Income Fund",
    ],
  ])("of %s is %s", (title, name) => {
    expect(companyName(title)).toBe(name);
  });

  it.each([
    "AT&T Inc.",
    "Common Stock",
    "Melar Acquisition Corp. I - Unit",
    "CN Healthy Food Tech Group Corp. - Warrant",
    "Arbor Realty Trust 6.375% Series D Cumulative Redeemable Preferred Stock",
    "Petroleo American Depositary Shares (each representing two preferred shares)",
    "Sunoco LP Common Units representing limited partner interests",
  ])("of %s is all of it", (title) => {
    expect(companyName(title)).toBe(title);
  });
});
