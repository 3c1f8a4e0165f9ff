/** Escapes a text for HTML: for content, and for an attribute in quotes (CWE-79). */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
