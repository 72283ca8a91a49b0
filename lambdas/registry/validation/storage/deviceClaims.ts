import { isDns1123Label, isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import {
  all,
  atLeast,
  type Check,
  distinct,
  dnsLabel,
  dnsSubdomain,
  fields,
  format,
  ifPresent,
  items,
  nonEmptyText,
  oneInOrder,
  present,
} from '../checks.ts';
import { invalid, required, tooLong, tooMany } from '../fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textOf, textsOf } from '../fieldsOf.ts';

/** A device is asked for in one way, or in several ways of which the first that can be had is taken. */
interface DeviceRequest {
  readonly name: string;
  readonly exactly?: object;
  readonly firstAvailable?: readonly { readonly name: string }[];
}

const MOST_ITEMS = 32;
const MOST_ALTERNATIVES = 8;
const MOST_EXPRESSION_BYTES = 10 * 1024;
const EITHER = 'exactly one of `exactly` or `firstAvailable` is required';

/** A list of at most so many items. */
export function atMostItems(most: number, check: Check): Check {
  return (value, path) =>
    Array.isArray(value) && value.length > most ? [tooMany(path, value.length, most)] : check(value, path);
}

const nameOf = (item: unknown) => fieldsOf<{ name: string }>(item).name;
const named = (most: number, check: Check) => atMostItems(most, all(items(check), distinct(nameOf, '.name')));

/** The name of the driver of devices: a DNS subdomain. */
export const deviceDriver: Check = nonEmptyText('', dnsSubdomain);

const expression: Check = nonEmptyText('', (value, path) =>
  Buffer.byteLength(textOf(value)) > MOST_EXPRESSION_BYTES ? [tooLong(path, MOST_EXPRESSION_BYTES)] : [],
);

/** The expressions that choose devices. What they say is left to the scheduler that allocates devices. */
export const deviceSelectors: Check = atMostItems(
  MOST_ITEMS,
  items(fields({ cel: present('', fields({ expression })) })),
);

/** The configuration of devices for their driver. */
export const deviceConfigurations: Check = atMostItems(
  MOST_ITEMS,
  items(fields({ opaque: present('', fields({ driver: deviceDriver, parameters: present() })) })),
);

const amount: Check = (value, path) => {
  const { allocationMode, count } = fieldsOf<{ allocationMode: string; count: number }>(value);
  if (textOf(allocationMode) === 'ExactCount') return atLeast(1, 'must be greater than zero')(count, `${path}.count`);
  if (textOf(allocationMode) !== 'All')
    return oneInOrder('All', 'ExactCount')(allocationMode, `${path}.allocationMode`);
  return numberOf(count) === 0
    ? []
    : [invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'")];
};

const asked: Check = all(
  fields({ deviceClassName: nonEmptyText('', dnsSubdomain), selectors: deviceSelectors }),
  amount,
);

const either: Check = (value, path) => {
  const { exactly, firstAvailable } = fieldsOf<DeviceRequest>(value);
  const hasAlternatives = Array.isArray(firstAvailable) && firstAvailable.length > 0;
  if (isPresent(exactly) === hasAlternatives)
    return hasAlternatives ? [invalid(path, null, `${EITHER}, but multiple fields are set`)] : [required(path, EITHER)];
  return hasAlternatives
    ? named(MOST_ALTERNATIVES, all(fields({ name: nonEmptyText('', dnsLabel) }), asked))(
        firstAvailable,
        `${path}.firstAvailable`,
      )
    : asked(exactly, `${path}.exactly`);
};

const request: Check = all(fields({ name: nonEmptyText('', dnsLabel) }), either);

/** The requests by their names, and the alternatives as `request/alternative`. */
function requestNames(requests: unknown): Set<string> {
  const list = Array.isArray(requests) ? requests : [];
  const names = list.flatMap((item) => {
    const { name, firstAvailable } = fieldsOf<DeviceRequest>(item);
    const alternatives = Array.isArray(firstAvailable) ? firstAvailable.map(nameOf) : [];
    return [textOf(name), ...alternatives.map((one) => `${textOf(name)}/${textOf(one)}`)];
  });
  return new Set(names);
}

const known = (names: ReadonlySet<string>): Check =>
  atMostItems(MOST_ITEMS, (value, path) =>
    textsOf(value).flatMap((name, index) =>
      names.has(name)
        ? []
        : [
            invalid(
              `${path}[${index}]`,
              name,
              "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
            ),
          ],
    ),
  );

/** An attribute with the domain of who defined it: `dra.example.com/model`. */
const fullyQualified: Check = format((name) => {
  const [domain = '', identifier = '', ...rest] = name.split('/');
  if (rest.length > 0 || identifier === '') return ['must include a domain'];
  return [...isDns1123Subdomain(domain), ...(/^[A-Za-z_]\w*$/.test(identifier) ? [] : isDns1123Label(identifier))];
});

/** `spec.devices` of a ResourceClaim: what is asked for, what the devices must have in common, and their configuration. Pure. */
export const deviceClaim: Check = (value, path) => {
  const { requests } = fieldsOf<{ requests: unknown }>(value);
  const ofRequests = fields({ requests: known(requestNames(requests)) });
  const constraint = all(
    ofRequests,
    fields({ matchAttribute: ifPresent(fullyQualified), distinctAttribute: ifPresent(fullyQualified) }),
  );
  return fields({
    requests: named(MOST_ITEMS, request),
    constraints: atMostItems(MOST_ITEMS, items(constraint)),
    config: all(atMostItems(MOST_ITEMS, items(ofRequests)), deviceConfigurations),
  })(value, path);
};
