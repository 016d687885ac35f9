/** The setting for upgrades. Read by `config.ts` only. */
import { isAbsolute } from 'node:path';
import * as z from 'zod';

export const UPDATE_SETTINGS = {
  UPDATE_URL: z
    .string()
    .refine(
      (text) => isAbsolute(text) || isWebFolder(text),
      'must be an http(s) address without a query, such as https://releases.example.org/opbench/, or the absolute path of a folder',
    )
    .optional(),
};

function isWebFolder(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^\s\\?#]+$/i.test(text)) return false;
  try {
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}
