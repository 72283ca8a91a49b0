import type { ServicePort } from 'kubernetes-types/core/v1.js';
import { isQualifiedName, isValidPortName, isValidPortNumber } from '../../../objects/nameFormats.ts';
import {
  all,
  type Check,
  dnsLabel,
  fields,
  format,
  ifPresent,
  ifSet,
  itemsByKey,
  nonEmptyText,
  requiredEnum,
  repeated,
  when,
} from '../checks.ts';
import { duplicate, forbidden, invalidEach } from '../fieldErrors.ts';
import { itemsOf, numberOf, textOf } from '../fieldsOf.ts';

const port: Check = (value, path) => invalidEach(path, numberOf(value), isValidPortNumber(numberOf(value)));
const targetPort: Check = (value, path) =>
  invalidEach(path, value, typeof value === 'string' ? isValidPortName(value) : isValidPortNumber(Number(value)));

/** The ports, one by one. Several ports need names, and no two have the same. */
export function servicePort(needsName: boolean): Check {
  return itemsByKey(
    (item) => textOf(item['name']),
    (isTaken) => {
      const named = all(dnsLabel, when(isTaken, repeated));
      return fields<ServicePort>({
        name: needsName ? nonEmptyText('', named) : ifSet(named),
        port,
        protocol: requiredEnum('SCTP', 'TCP', 'UDP'),
        targetPort,
        appProtocol: ifPresent(format(isQualifiedName)),
      });
    },
  );
}

/** A Service inside of the cluster has no ports on nodes. */
export const noNodePorts: Check = (ports, path) =>
  itemsOf<ServicePort>(ports).flatMap(({ nodePort }, index) =>
    numberOf(nodePort) === 0
      ? []
      : [forbidden(`${path}[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")],
  );

/** No two ports have the same protocol, and the same number on nodes or in the cluster. */
export const distinctPorts: Check = (ports, path) => {
  const [onNodes, numbers] = [new Set<string>(), new Set<string>()];
  const keys = itemsOf<ServicePort>(ports).map(({ port: number, nodePort, protocol }) => ({
    node: numberOf(nodePort),
    port: numberOf(number),
    protocol: textOf(protocol),
  }));
  return [
    ...keys.flatMap(({ node, protocol }, index) =>
      node !== 0 && isRepeated(onNodes, `${protocol}/${node}`) ? [duplicate(`${path}[${index}].nodePort`, node)] : [],
    ),
    ...keys.flatMap(({ port: number, protocol }, index) =>
      isRepeated(numbers, `${protocol}/${number}`) ? [duplicate(`${path}[${index}]`, goPort(number, protocol))] : [],
    ),
  ];
};

function isRepeated(seen: Set<string>, key: string): boolean {
  const repeats = seen.has(key);
  seen.add(key);
  return repeats;
}

/** A port with these two members, as Go's API types print it. */
function goPort(number: number, protocol: string): object {
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
}
