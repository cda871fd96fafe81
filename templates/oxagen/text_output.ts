// {{banner}}
import { z } from "zod";

/** The output of a tool that promises text only. */
export const textOutput = z
  .object({
    content: z.string().describe("What the tool answers, for a model to read."),
  })
  .strict();

export type TextOutput = z.output<typeof textOutput>;
