/** Small files of media types that are not parsed: a square, an empty page, a moment of silence. */
const files: ReadonlyMap<string, () => Uint8Array> = new Map([
  [
    'image/png',
    inBase64(
      'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAAA1BMVEVMi1qNM7AUAAAADUlEQVR42mNgGAXIAAAB' +
        'EAABf80DtQAAAABJRU5ErkJggg==',
    ),
  ],
  [
    'image/jpeg',
    inBase64(
      '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////' +
        '////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////' +
        '////////////////////////////////////wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAA' +
        'AAH/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAQL/xAAUEQEAAAAAAAAAAAAAAAAA' +
        'AAAA/9oADAMBAAIRAxEAPwCABD//2Q==',
    ),
  ],
  ['image/gif', inBase64('R0lGODlhAQABAIAAAEyLWv///ywAAAAAAQABAAACAkQBADs=')],
  [
    'image/webp',
    inBase64('UklGRiwAAABXRUJQVlA4ICAAAABwAQCdASoIAAgAB0CWJZgCdAF1AAD+reHN4uGQiAAAAA=='),
  ],
  [
    'application/zip',
    inBase64(
      'UEsDBBQAAAAAAAAAIVwWNZYxBgAAAAYAAAAKAAAAcmVhZG1lLnR4dEhlbGxvClBLAQIUAxQAAAAAAAAAIVwWNZYx' +
        'BgAAAAYAAAAKAAAAAAAAAAAAAACkAQAAAAByZWFkbWUudHh0UEsFBgAAAAABAAEAOAAAAC4AAAAAAA==',
    ),
  ],
  ['application/gzip', inBase64('H4sIAAAAAAACA/NIzcnJ5wIAFjWWMQYAAAA=')],
  ['application/pdf', writePdf],
  ['audio/mpeg', writeMpeg],
  ['audio/wav', writeWave],
  ['audio/x-wav', writeWave],
]);

export function sampleFile(mediaType: string): Uint8Array | undefined {
  return files.get(mediaType)?.();
}

function inBase64(text: string): () => Uint8Array {
  return () => Buffer.from(text, 'base64');
}

/** Returns a PDF with one empty page (ISO 32000-1 §7.5). */
function writePdf(): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>',
  ];
  let text = '%PDF-1.4\n';
  const entries = objects.map((object, index) => {
    const entry = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return entry;
  });
  const table = `xref\n0 4\n0000000000 65535 f \n${entries.join('')}`;
  const trailer = `trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, 'latin1');
}

/** Returns an MP3 of ten silent frames: 32 kbit/s, 44.1 kHz, mono (ISO/IEC 11172-3 §2.4.1). */
function writeMpeg(): Uint8Array {
  const frame = Buffer.alloc(104);
  frame.writeUInt32BE(0xfffb10c0);
  return Buffer.concat(Array.from({ length: 10 }, () => frame));
}

/** Returns a tenth of a second of silence: 8 kHz, 8 bits, mono. */
function writeWave(): Uint8Array {
  const samples = 800;
  const file = Buffer.alloc(44 + samples, 0x80);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8000, 24);
  file.writeUInt32LE(8000, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples, 40);
  return file;
}
