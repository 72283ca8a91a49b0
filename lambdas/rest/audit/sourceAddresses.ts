import { isIP } from 'node:net';

const MAPPED = /^::ffff:(?=\d+\.)/i;

/** The addresses from which a request came: what proxies say of it, which clients may have written themselves, and last the one that has sent it to this server. As apimachinery's `net.SourceIPs`. Pure. */
export function sourceAddresses(headers: Headers, remoteAddress: string | undefined): string[] {
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').flatMap(parseAddress);
  const [real] = parseAddress(headers.get('x-real-ip') ?? '');
  const told = real === undefined || forwarded.includes(real) ? forwarded : [...forwarded, real];
  const [remote] = parseAddress(remoteAddress ?? '');
  return remote === undefined || told.at(-1) === remote ? told : [...told, remote];
}

function parseAddress(text: string): string[] {
  const address = text.trim().replace(MAPPED, '');
  return isIP(address) === 0 ? [] : [address];
}
