import { z } from "zod";

/** A picture (or other file) that a result carries as its `media`; each transport delivers it in its own way. */
export const Media = z.object({
  mime: z.string().describe("Media type, e.g. image/png"),
  base64: z.string().optional().describe("File content; absent if the transport delivers the file itself"),
  alt: z.string().describe("Description of the image"),
});

/** Media with its file content. */
export interface MediaFile {
  readonly mime: string;
  readonly base64: string;
  readonly alt: string;
}

/** Returns the file of a result; null if it has none. */
export function mediaIn({ media }: Readonly<Record<string, unknown>>): MediaFile | null {
  const { data } = Media.safeParse(media);
  return data?.base64 === undefined ? null : { ...data, base64: data.base64 };
}

/** Returns the result without the file's bytes, which the transport delivers separately. */
export function withoutFile(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const media = mediaIn(result);
  return media === null ? { ...result } : { ...result, media: { mime: media.mime, alt: media.alt } };
}
