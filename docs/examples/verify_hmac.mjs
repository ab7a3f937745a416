// Verify the signatures of hmac_vectors.json: what a client in JavaScript needs. RFC 8785 writes strings
// and numbers as JSON.stringify does, and sorts names by their UTF-16 units, as `sort` does. A client that
// signs must also refuse integers beyond Number.MAX_SAFE_INTEGER, and strings that aren't isWellFormed().
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

for (const vector of JSON.parse(readFileSync(new URL('hmac_vectors.json', import.meta.url), 'utf8'))) {
  const { auth, ...message } = JSON.parse(vector.message);
  const text = canonical(message);
  const signed = `${auth.timestamp}.${auth.nonce ?? ''}.${text}`;
  const expected = createHmac('sha256', vector.key).update(signed, 'utf8').digest();
  const given = Buffer.from(auth.signature, 'base64');
  const isSame = given.length === expected.length && timingSafeEqual(given, expected);
  if (text !== vector.canonical || !isSame) throw new Error(`${vector.name}: wrong`);
  console.log(`${vector.name}: verified`);
}
