import { ApiError } from '../../objects/ApiError.ts';
import { notAcceptable } from './statusOf.ts';

/** The form of an answer. */
export interface Negotiated {
  readonly format: 'json' | 'yaml';
  /** The kind that the object is transformed to first; `none` leaves it unchanged. */
  readonly transform: 'none' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The apiVersion of that kind: `meta.k8s.io/v1` or `meta.k8s.io/v1beta1`. */
  readonly transformVersion: string;
}

/** One clause of an Accept header: `application/json;as=Table;v=v1;g=meta.k8s.io;q=0.9`. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

const FORMATS: readonly { readonly subtype: string; readonly format: Negotiated['format'] }[] = [
  { subtype: 'json', format: 'json' },
  { subtype: 'yaml', format: 'yaml' },
];
const MEDIA_TYPES = FORMATS.map(({ subtype }) => `application/${subtype}`);
const TRANSFORMS = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;
const PLAIN: Negotiated = { format: 'json', transform: 'none', transformVersion: '' };

/**
 * Chooses the form of an answer by the Accept header, as apiserver does: it tries the clauses in the client's order of preference, and the first that can be
 * served wins. `transforms` are the transformations that this endpoint offers.
 *
 * @throws ApiError NotAcceptable if no clause can be served.
 */
export function negotiate(accept: string | null, transforms: readonly Negotiated['transform'][] = []): Negotiated {
  if (!accept?.trim()) return PLAIN;
  for (const clause of parseAccept(accept)) {
    const format = FORMATS.find(({ subtype }) => accepts(clause, subtype))?.format;
    const transform = format && transformOf(clause, transforms);
    if (format && transform) return { format, ...transform };
  }
  throw notAcceptable(MEDIA_TYPES);
}

/**
 * Checks, before a request takes effect, that the client accepts a media type that is served. Throws ApiError NotAcceptable, in the words of the router of built-in
 * resources, or of the handler that serves all custom ones.
 */
export function requireMediaType(accept: string | null, isCustom: boolean): void {
  if (!accept?.trim() || accept === 'application/json') return;
  const isServed = parseAccept(accept).some((clause) => FORMATS.some(({ subtype }) => accepts(clause, subtype)));
  if (isServed) return;
  throw isCustom ? notAcceptable(MEDIA_TYPES) : new ApiError('NotAcceptable', '406: Not Acceptable', {});
}

/** True if the clause covers `application/<subtype>`, by name or by wildcard. */
export function accepts(clause: AcceptClause, subtype: string): boolean {
  const type = clause.type === '*' || clause.type === 'application';
  return type && (clause.subtype === '*' || clause.subtype === subtype);
}

/** Parses an Accept header into its clauses, the most preferred first. Skips anything that is not a media type. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses = header.split(',').flatMap((text) => {
    const [range = '', ...parameters] = text.split(';').map((part) => part.trim());
    const [type, subtype] = range.toLowerCase().split('/');
    if (!type || !subtype) return [];
    const map = new Map(parameters.map((parameter) => splitParameter(parameter)));
    const quality = map.has('q') ? Number(map.get('q')) || 0 : 1;
    return [{ type, subtype, parameters: map, quality }];
  });
  return clauses.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
}

function splitParameter(text: string): [string, string] {
  const [key = '', ...value] = text.split('=');
  return [
    key.trim().toLowerCase(),
    value
      .join('=')
      .trim()
      .replace(/^"(.*)"$/, '$1'),
  ];
}

function transformOf(clause: AcceptClause, offered: readonly Negotiated['transform'][]) {
  const as = clause.parameters.get('as');
  if (!as) return { transform: 'none' as const, transformVersion: '' };
  const transform = TRANSFORMS.find((name) => name === as && offered.includes(name));
  const version = clause.parameters.get('v') ?? '';
  const meta = clause.parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1');
  return transform && meta ? { transform, transformVersion: `meta.k8s.io/${version}` } : undefined;
}
