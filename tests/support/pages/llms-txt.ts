/** llms.txt, read by the rules of the format's reference parser. */

interface LlmsLink {
  title: string;
  url: string;
  about: string | null;
}

export interface ReadLlmsTxt {
  title: string;
  summary: string | null;
  info: string;
  sections: Record<string, LlmsLink[]>;
}

const SECTION = /^##\s*(.*?$)/m;
const HEAD = /^#\s*(?<title>[^\n]+?)$\n+(?:^>\s*(?<summary>[^\n]+?)$)?\n+(?<info>[^]*)/m;
const LINK = /-\s*\[(?<title>[^\]]+)\]\((?<url>[^)]+)\)(?::\s*(?<about>.*))?/;

/**
 * Parses `/llms.txt`.
 *
 * @throws {Error} If the reference parser finds no title, or anything but links in a section.
 * @see {@link https://github.com/AnswerDotAI/llms-txt | llms_txt/miniparse.py}
 */
export function readLlmsTxt(text: string): ReadLlmsTxt {
  const [start = '', ...rest] = text.split(SECTION);
  const head = HEAD.exec(start.trim())?.groups;
  if (!head) throw new Error('llms.txt has no title');
  const sections: ReadLlmsTxt['sections'] = {};
  for (let at = 0; at < rest.length; at += 2) {
    const lines = (rest[at + 1] ?? '').trim().split(/\n+/);
    sections[rest[at] ?? ''] = lines.filter((line) => line.trim() !== '').map(readLink);
  }
  const { title = '', summary = null, info = '' } = head;
  return { title, summary, info, sections };
}

function readLink(line: string): LlmsLink {
  const found = LINK.exec(line)?.groups;
  if (!found) throw new Error(`A section has a line that is not a link: ${line}`);
  const { title = '', url = '', about = null } = found;
  return { title, url, about };
}
