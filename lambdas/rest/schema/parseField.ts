const SCALARS = [
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'Time',
  'MicroTime',
  'Quantity',
  'IntOrString',
  'RawExtension',
  'FieldsV1',
  'ExtraValue',
] as const;
/** Types other than structs. In JSON, `bytes` is base64, `RawExtension` and `FieldsV1` are any value, and `ExtraValue` is a list of strings. */
export type Scalar = (typeof SCALARS)[number];

/** How server-side apply merges a list. `keys`: those of the items of a `map`. */
export interface ListType {
  readonly type: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
}

/** What the notation says about a field. */
export interface FieldFacts {
  readonly name: string;
  /** The field's number in Kubernetes' protobuf. */
  readonly number: number;
  readonly shape: 'single' | 'list' | 'map';
  /** A scalar, or the full name of a struct: `core.v1.PodSpec`. */
  readonly typeName: string;
  readonly scalar: Scalar | undefined;
  /** True if JSON writes this struct's fields directly into its parent. Protobuf nests them. */
  readonly inlined: boolean;
  /** The Go type as reflection prints it in decoding errors: `[]v1.Container`. */
  readonly goType: string;
  /** What a strategic merge patch does: `merge`, `retainKeys`, `replace`. Without any, a list is replaced, and an object is merged member by member. */
  readonly patchStrategies: readonly string[];
  readonly mergeKey: string | undefined;
  /** True if zero, false or the empty string differs from absence. Kubernetes' protobuf writes the zeros of all other fields too, but there they mean nothing. */
  readonly keepsZero: boolean;
  /** True for a list that is written even if it is empty. All other empty lists and maps are dropped when an object is decoded. */
  readonly keepsEmpty: boolean;
  /** True for a struct, or a list whose items are owned one by one, that is always there. Creating an object does not create it, so nobody owns that it is there. */
  readonly isPresent: boolean;
  /** True if every stored object has the field, since no version of validation lets one in without it, and our code takes it for granted. */
  readonly isRequired: boolean;
  /** `undefined` for a field that is not a list. */
  readonly listType: ListType | undefined;
  /** True for a map that server-side apply replaces as a whole. */
  readonly atomicMap: boolean;
  /** The minor release of Kubernetes 1 since which a server keeps the field: the one in which its feature is on by default, or that declared it if it is off in all. `undefined`: before all that are served. */
  readonly since: number | undefined;
}

const NOTATION = /^(\.\.\.)?([\w$-]+):(\d+):([*!])?(\[\]|\{\})?([\w.]+)(?:\(([\w.]+)\))?((?:\/[^/]+)*)$/;
const FACT = /^(atomic|set|map|required|since|(?:merge|replace|retainKeys|,)+)(?:\(([\w.,]+)\))?$/;
const SHAPES = { '': 'single', '[]': 'list', '{}': 'map' } as const;

/**
 * Reads one field from the notation of `types/`: `name:number:type`, with its number in protobuf, and all else that is to be known about it:
 *
 * - `...` before the name: inlined in JSON.
 * - `*` before the type: zero, false and the empty string differ from absence, since Go has a pointer.
 * - `!` before the type: always there. A scalar is written even if it is zero, a list even if it is empty; Go's struct is no pointer.
 * - `[]` makes a list of the type, `{}` a map with string keys. A type without dots is in the same package.
 * - `(PullPolicy)` after the type: the name of the Go type, which decoding errors show; without dots it is of the same version.
 * - `/merge(name)`, `/retainKeys`, `/replace`: strategies of a strategic merge patch, with the key of the items.
 * - `/atomic`, `/set`, `/map(port,protocol)`: how server-side apply merges, if the strategy and its key do not say it.
 * - `/since(1.33)`: the release that brought the field; see `FieldFacts.since`.
 * - `/required`: every stored object has it; see `FieldFacts.isRequired`.
 *
 * Throws for a text that is none of this, which is a bug in our code. Pure.
 */
export function parseField(packageName: string, text: string): FieldFacts {
  const [, dots, name = '', number, mark, prefix = '', type = '', goName, facts = ''] = NOTATION.exec(text) ?? [];
  if (name === '') throw new Error(`no field of ${packageName}: ${text}`);
  const shape = SHAPES[prefix as keyof typeof SHAPES];
  const scalar = SCALARS.find((known) => known === type);
  const typeName = scalar ?? (type.includes('.') ? type : `${packageName}.${type}`);
  const merging = parseFacts(shape, facts, text);
  return {
    name,
    number: Number(number),
    shape,
    typeName,
    scalar,
    inlined: dots !== undefined,
    goType: goName === undefined ? goTypeOf(shape, typeName, scalar) : goTypeNamed(goName, packageName),
    ...merging,
    keepsZero: mark !== undefined && shape === 'single' && scalar !== undefined,
    keepsEmpty: mark === '!' && shape === 'list',
    isPresent: mark === '!' && (shape === 'list' ? merging.listType?.type !== 'atomic' : scalar === undefined),
  };
}

type Merging = Pick<FieldFacts, 'patchStrategies' | 'mergeKey' | 'listType' | 'atomicMap' | 'since' | 'isRequired'>;

function parseFacts(shape: FieldFacts['shape'], facts: string, text: string): Merging {
  const words = new Map<string, string[]>();
  for (const fact of facts.split('/').slice(1)) {
    const [, word, values] = FACT.exec(fact) ?? [];
    if (word === undefined) throw new Error(`no fact of a field: /${fact} in ${text}`);
    words.set(word, values?.split(',') ?? []);
  }
  const [strategies = '', [mergeKey] = []] =
    [...words].find(([word]) => /^(?:merge|replace|retainKeys)/.test(word)) ?? [];
  const [release] = words.get('since') ?? [];
  return {
    patchStrategies: strategies === '' ? [] : strategies.split(','),
    mergeKey,
    listType: shape === 'list' ? listTypeOf(words, mergeKey) : undefined,
    atomicMap: shape === 'map' && words.has('atomic'),
    since: release === undefined ? undefined : Number(release.slice(release.indexOf('.') + 1)),
    isRequired: words.has('required'),
  };
}

/** Without a word of its own, a list is merged by its merge key, or is replaced as a whole. */
function listTypeOf(words: ReadonlyMap<string, string[]>, mergeKey: string | undefined): ListType {
  for (const type of ['atomic', 'set', 'map'] as const) {
    const keys = words.get(type);
    if (keys !== undefined) return { type, keys };
  }
  return mergeKey === undefined ? { type: 'atomic', keys: [] } : { type: 'map', keys: [mergeKey] };
}

const GO_SCALARS: Readonly<Record<Scalar, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  float64: 'float64',
  bytes: '[]uint8',
  Time: 'v1.Time',
  MicroTime: 'v1.MicroTime',
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
  RawExtension: 'runtime.RawExtension',
  FieldsV1: 'v1.FieldsV1',
  ExtraValue: 'v1.ExtraValue',
};

function goTypeOf(shape: FieldFacts['shape'], typeName: string, scalar: Scalar | undefined): string {
  if (shape === 'map' && scalar === 'Quantity') return 'v1.ResourceList';
  const element = scalar === undefined ? typeName.split('.').slice(-2).join('.') : GO_SCALARS[scalar];
  return { single: '', list: '[]', map: 'map[string]' }[shape] + element;
}

function goTypeNamed(goName: string, packageName: string): string {
  return goName.includes('.') ? goName : `${packageName.slice(packageName.indexOf('.') + 1)}.${goName}`;
}
