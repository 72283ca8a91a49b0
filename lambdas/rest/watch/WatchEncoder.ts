import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { TableRules } from '../../registry/ResourceEntry.ts';
import { toServedVersion } from '../convertObject.ts';
import { encodeCustomObject, encodeObject, encodeShared } from '../response/encodeObject.ts';
import type { Negotiated } from '../response/negotiate.ts';
import type { ServedResource } from '../ServedGroup.ts';
import { type TableRequest, toPartialMetadata, toTable } from '../response/toTable.ts';
import type { WatchEvent } from './WatchEvent.ts';

/** Encodes the events of one watch, one line each. */
export type WatchEncoder = (events: readonly WatchEvent[]) => string;

/** The annotation on the bookmark that ends the initial events; client-go's WatchList waits for it. */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/**
 * A heartbeat for clients that allow no bookmarks: a space before the next event. Every parser of JSON skips it. An empty line would not do: clients that read line
 * by line, such as Kubernetes' own for Java, try to parse it.
 */
const HEARTBEAT = ' ';

/** Creates the encoder of one watch. It remembers whether a table's columns have been sent. */
export function createWatchEncoder(resource: ServedResource, form: Negotiated, table: TableRequest): WatchEncoder {
  let columns = true;
  const encodeEventObject = (object: KubernetesObject, { shared = false, bookmark = false }): string => {
    if (form.transform === 'none' && bookmark) return encodeObject(object);
    if (form.transform === 'none') {
      const served = toServedVersion(resource, object);
      if (resource.entry.custom) return encodeCustomObject(served);
      return shared ? encodeShared(served) : encodeObject(served);
    }
    if (form.transform !== 'Table') return encodeObject(toPartialMetadata(object, form.transformVersion));
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    const hasRow = !bookmark || object.metadata.annotations?.[INITIAL_EVENTS_END] !== undefined;
    const rules = bookmark ? emptyRow(resource.entry.table) : resource.entry.table;
    const text = JSON.stringify(toTable(table, hasRow ? [object] : [], metadata, columns, rules));
    columns = false;
    return text;
  };
  const encodeEvent = (event: WatchEvent): string => {
    if (event.type === 'HEARTBEAT') return HEARTBEAT;
    if (event.type === 'ERROR') return line(event.type, JSON.stringify(event.status));
    if (event.type !== 'BOOKMARK') return line(event.type, encodeEventObject(event.object, { shared: !event.initial }));
    return line(event.type, encodeEventObject(bookmarkObject(resource, event), { bookmark: true }));
  };
  return (events) => events.map(encodeEvent).join('');
}

/** The columns for a bookmark that has a row: of its object nothing is known, so each cell is empty. */
function emptyRow(rules: TableRules): TableRules {
  return { ...rules, cells: () => rules.columns.map((_, at) => (at === 0 ? '' : null)) };
}

function line(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}

/** An object of the watched kind with nothing but a resourceVersion. */
function bookmarkObject(resource: ServedResource, event: WatchEvent & { type: 'BOOKMARK' }): KubernetesObject {
  const metadata = {
    resourceVersion: String(event.position),
    ...(event.initialEventsEnd && { annotations: { [INITIAL_EVENTS_END]: 'true' } }),
  };
  return {
    kind: resource.entry.kind,
    apiVersion: resource.apiVersion,
    metadata: metadata as unknown as KubernetesObject['metadata'],
  };
}
