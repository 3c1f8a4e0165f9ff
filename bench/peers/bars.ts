interface Bar {
  readonly title: string;
  readonly value: number;
}

const ROW = 34;
/** Room for the longest title, 16 letters. */
const LEFT = 140;
const WIDTH = 440;

/** Returns a bar chart as SVG, which is readable on light and dark pages. */
export function drawBars(heading: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ title, value }, index) => {
    const y = 44 + index * ROW;
    const width = Math.max(1, Math.round((value / most) * WIDTH));
    const color = index === 0 ? '#2f7d4f' : '#8a94a0';
    return [
      `  <text x="${LEFT - 10}" y="${y + 16}" text-anchor="end">${title}</text>`,
      `  <rect x="${LEFT}" y="${y}" width="${width}" height="22" rx="3" fill="${color}"/>`,
      `  <text x="${LEFT + width + 8}" y="${y + 16}">${Math.round(value).toLocaleString('en-GB')}</text>`,
    ].join('\n');
  });
  const height = 56 + bars.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 ${height}" font-family="system-ui, sans-serif" font-size="14" fill="#57606a">
  <title>${heading}</title>
  <text x="${LEFT}" y="24" font-weight="600">${heading}</text>
${rows.join('\n')}
</svg>
`;
}
