/** Escapes a text for HTML: for content, and for an attribute in quotes (CWE-79). */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Rules for {@link writePage} to load nothing and run nothing. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Returns an HTML page that needs nothing from elsewhere, in the colors of the reader's system.
 *
 * @param body HTML that is escaped already
 * @param style CSS that the body needs besides that of every page
 */
export function writePage(title: string, body: string, style = ''): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}</body>
</html>
`;
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;' +
  'color-scheme:light dark}ul{padding:0}li{list-style:none;margin:1rem 0}span{opacity:.7}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:.5rem;border:1px solid #8886;border-radius:4px;margin:.25rem 0}';
