const HEADING = /<h([23]) id="([^"]+)">(.*?)<\/h\1>/gs;

/** The HTML of a Markdown file with a link beside each heading. What is for the screen only is marked as such. */
export function withHeadingLinks(html: string): string {
  return html.replaceAll(HEADING, (heading, level: string, id: string, title: string) => {
    const name = title.replaceAll(/<[^>]+>/g, '').replaceAll('"', '&quot;');
    const link = `<a href="#${id}" aria-label="Link to “${name}”" data-screen-only>#</a>`;
    return `<div class="heading level-${level}">${heading}${link}</div>`;
  });
}
