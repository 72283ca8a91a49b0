import type { WindowsSecurityContextOptions } from 'kubernetes-types/core/v1.js';
import { type Check, dnsSubdomain, fields, format, ifPresent } from '../checks.ts';
import { invalid } from '../fieldErrors.ts';
import { textOf } from '../fieldsOf.ts';

const MAX_CREDENTIAL_SPEC_KIB = 64;
const MAX_DOMAIN_LENGTH = 256;
const MAX_USER_LENGTH = 104;
const NET_BIOS_DOMAIN = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS_DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);

const credentialSpec: Check = (value, path) => {
  const spec = textOf(value);
  if (spec === '') return [invalid(path, spec, 'gmsaCredentialSpec cannot be an empty string')];
  if (Buffer.byteLength(spec) <= MAX_CREDENTIAL_SPEC_KIB * 1024) return [];
  return [invalid(path, spec, `gmsaCredentialSpec size must be under ${MAX_CREDENTIAL_SPEC_KIB} KiB`)];
};

/** The Windows options of a security context: credential specs and the user's name. */
export const validateWindowsOptions = fields<WindowsSecurityContextOptions>({
  gmsaCredentialSpecName: ifPresent(dnsSubdomain),
  gmsaCredentialSpec: ifPresent(credentialSpec),
  runAsUserName: ifPresent(format(userNameErrors)),
});

/** `USER`, or `DOMAIN\USER`. */
function userNameErrors(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/\p{Cc}/u.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const [domain, user = domain] = parts;
  return [...(parts.length === 2 ? domainErrors(domain ?? '') : []), ...userErrors(user ?? '')];
}

function domainErrors(domain: string): string[] {
  const fits = NET_BIOS_DOMAIN.test(domain) || DNS_DOMAIN.test(domain);
  return [
    ...(domain.length >= MAX_DOMAIN_LENGTH
      ? [`runAsUserName's Domain length must be under ${MAX_DOMAIN_LENGTH} characters`]
      : []),
    ...(fits ? [] : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function userErrors(user: string): string[] {
  return [
    ...(user === '' ? ["runAsUserName's User cannot be empty"] : []),
    ...(user.length > MAX_USER_LENGTH
      ? [`runAsUserName's User length must not be longer than ${MAX_USER_LENGTH} characters`]
      : []),
    ...(/^[. ]+$/.test(user) ? ["runAsUserName's User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? ['runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]']
      : []),
  ];
}
