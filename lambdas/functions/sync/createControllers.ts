import type { Controller } from '../../controllers/Controller.ts';
import type { ControllerRoom, RoomParts } from '../../controllers/ControllerRoom.ts';
import { controllerRooms, roomNamed } from '../../controllers/controllerRooms.ts';
import type { EventRecorder, EventToRecord } from '../../controllers/EventRecorder.ts';
import { createEventRecorder, EventNames } from '../../controllers/events/createEventRecorder.ts';
import { messageIn } from '../../controllers/events/messageIn.ts';
import { guardWrites } from '../../controllers/guardWrites.ts';
import type { RegistryReader } from '../../controllers/GuardedWriters.ts';
import { NEWEST_RELEASE } from '../../objects/KubernetesRelease.ts';
import type { Ports } from '../../ports/Ports.ts';
import type { Registry, RegistryUntil } from '../../registry/Registry.ts';
import { createRbacAuthorizer } from '../../rest/rbac/createRbacAuthorizer.ts';
import { type Config, controllerConfig } from '../parseConfig.ts';

/** What all controllers of a process are made of. */
export interface ControllerParts extends Omit<RoomParts, MadeHere | 'ownersReader' | 'ports' | 'registry'> {
  readonly ports: Omit<Ports, 'changeLog' | 'keyLocks'>;
  readonly registry: Registry;
  /** See `Writers.registryUntil`. */
  readonly registryUntil?: RegistryUntil | undefined;
  /** Absent: the registry, whose reads cost nothing. */
  readonly ownersReader?: RegistryReader;
  readonly config: Config;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

type MadeHere = 'events' | 'eventsOf' | 'isStarted' | 'share' | 'allows' | 'resolveSchema' | 'terminatedPods';

/** Creates the controllers that the configuration asks for, with guarded writers. Nothing else gives them writers. */
export function createControllers(given: ControllerParts): readonly Controller[] {
  const { ports, registry, registryUntil, ownersReader = registry, catalog, config } = given;
  const names = new EventNames(ports);
  const readers = { ...ports, sendKeys: ports.workQueue.send.bind(ports.workQueue) };
  const authorizer = createRbacAuthorizer(registry);
  const parts = {
    ...given,
    ports: readers,
    ownersReader,
    eventsOf: (component: string) => recorderOf(given, component, names),
    isStarted: (name: string) => isNamedStarted(name, given),
    share: shareOf({ ports: readers }),
    allows: authorizer.allows.bind(authorizer),
    resolveSchema: async (kind) => {
      const { resolveSchema } = await import('../../rest/schema/openapi/resolveSchema.ts');
      return resolveSchema(catalog, kind);
    },
    terminatedPods: config.terminatedPodGcThreshold,
  } satisfies Omit<RoomParts, 'events'>;
  const writers = { ...ports, registry, registryUntil, clock: ports.workClock };
  return controllerRooms
    .filter((room) => isStarted(room, given))
    .map((room: ControllerRoom) =>
      guardWrites(room.create({ ...parts, events: parts.eventsOf(room.component ?? room.name) }), writers),
    );
}

function isNamedStarted(name: string, parts: ControllerParts): boolean {
  const room = roomNamed(name);
  return room !== undefined && isStarted(room, parts);
}

function isStarted(room: ControllerRoom, { config, catalog, certificateAuthority }: ControllerParts): boolean {
  const isEnabled = (name: string) => controllerConfig(config, name)?.enabled === true;
  const served = new Set(catalog.builtIn.map(({ groupResource }) => groupResource));
  const startsHere = room.startsWhere?.({ hasAuthority: certificateAuthority !== undefined, isEnabled }) ?? true;
  return startsHere && isEnabled(room.name) && room.needs.every((resource) => served.has(resource));
}

function shareOf(parts: Pick<RoomParts, 'ports'>): RoomParts['share'] {
  const opened = new Map<unknown, unknown>();
  return <T>(open: (from: typeof parts) => T): T => {
    if (!opened.has(open)) opened.set(open, open(parts));
    return opened.get(open) as T;
  };
}

function recorderOf({ ports, log, config }: ControllerParts, component: string, names: EventNames): EventRecorder {
  const recorder = createEventRecorder({
    ...ports,
    component,
    names,
    onDropped: (error) => log({ level: 'info', msg: 'event dropped', component, error: String(error) }),
  });
  const { kubernetesVersion: release } = config;
  if (release === NEWEST_RELEASE) return recorder;
  const inRelease = (event: EventToRecord) => ({ ...event, message: messageIn(release, event) });
  return { record: (events, registry) => recorder.record(events.map(inRelease), registry) };
}
