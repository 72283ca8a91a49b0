import type { Quantity } from '../../../objects/quantities/quantity.ts';
import type { ParsedUrl } from '../../apiextensions/values/parseUrl.ts';
import type {
  AuthorizerValue,
  DecisionValue,
  GroupCheckValue,
  PathCheckValue,
  ResourceCheckValue,
} from './AuthorizationValue.ts';

/** The values of Kubernetes' own libraries for CEL. */
export type LibraryValue =
  | QuantityValue
  | UrlValue
  | IpValue
  | CidrValue
  | FormatValue
  | SemverValue
  | AuthorizerValue
  | PathCheckValue
  | GroupCheckValue
  | ResourceCheckValue
  | DecisionValue;

export class QuantityValue {
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }
}

export class UrlValue {
  readonly text: string;
  readonly url: ParsedUrl;

  constructor(text: string, url: ParsedUrl) {
    this.text = text;
    this.url = url;
  }
}

/** An IP address: its bits as a number, and its family. */
export class IpValue {
  readonly bits: bigint;
  readonly family: 4 | 6;

  constructor(bits: bigint, family: 4 | 6) {
    this.bits = bits;
    this.family = family;
  }
}

export class CidrValue {
  readonly ip: IpValue;
  readonly prefixLength: number;

  constructor(ip: IpValue, prefixLength: number) {
    this.ip = ip;
    this.prefixLength = prefixLength;
  }
}

/** A named format of texts: `dns1123Label`. */
export class FormatValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class SemverValue {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly string[];
  readonly build: string;

  constructor(version: Pick<SemverValue, 'major' | 'minor' | 'patch' | 'prerelease' | 'build'>) {
    this.major = version.major;
    this.minor = version.minor;
    this.patch = version.patch;
    this.prerelease = version.prerelease;
    this.build = version.build;
  }
}
