import { coloursOf } from './colours.ts';
import { parseCommand } from './parseCommand.ts';
import { DASHBOARD_PATH, type Dashboard, createDashboard } from '../dashboard/server/createDashboard.ts';
import { LOOPBACK_NAMES, newDashboardKey } from '../dashboard/openDashboard.ts';
import { RemoteClock } from '../dashboard/server/RemoteClock.ts';
import { statusMessage } from '../dashboard/server/statusMessage.ts';
import { endOnSignals } from './endOnSignals.ts';
import { LastingServer } from './LastingServer.ts';
import { type HttpServer, LOOPBACK, openHttpServer } from '../host/openHttpServer.ts';
import { parsePort, refusedPort } from '../host/parsePort.ts';
import { type FoundServer, NAME_THE_SERVER, type ServerPlace, serverPlacesOf } from './serverPlaces.ts';
import { UsageError } from '../host/UsageError.ts';

export interface DashboardOptions {
  /** 0: a free one. */
  readonly port: number;
  /** The places to look for the server; the first that answers is shown. */
  readonly places: readonly ServerPlace[];
  /** The only namespace that is shown. Absent: all. */
  readonly namespace?: string | undefined;
}

/** Parses the words after `dashboard`. Throws a UsageError for anything that it does not take. */
export function parseDashboardOptions(args: readonly string[], environment = process.env): DashboardOptions {
  const { values } = parseCommand('dashboard', args);
  const { namespace } = values;
  if (namespace === '') throw new UsageError('--namespace must not be empty');
  return { port: parsePort(values.port, 0), places: serverPlacesOf(values, environment), namespace };
}

/** Serves the page of a server elsewhere until a signal ends the process. Throws a UsageError if no server answers, or the port cannot be used. */
export async function runDashboard({ port, places, namespace }: DashboardOptions): Promise<void> {
  const server = await firstThatAnswers(places);
  const clock = new RemoteClock(server.send);
  // The page acts with this user's credentials, and other users of the machine reach its port.
  const key = newDashboardKey();
  const { send, nowMs } = clock;
  const dashboard = createDashboard({ send, nowMs, clock, namespace, allowedHosts: LOOPBACK_NAMES, key });
  try {
    const http = await listen(dashboard, port);
    const close = async () => {
      dashboard.close();
      await Promise.all([http.close(), server.close()]);
    };
    endOnSignals(close);
    announce(`http://${LOOPBACK}:${http.port}${DASHBOARD_PATH}?key=${key}`, server.found);
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function listen(dashboard: Dashboard, port: number): Promise<HttpServer> {
  try {
    return await openHttpServer((request) => dashboard.fetch(request), { port });
  } catch (error) {
    throw refusedPort(error, port);
  }
}

async function firstThatAnswers(places: readonly ServerPlace[]): Promise<LastingServer> {
  const problems: string[] = [];
  for (const place of places) {
    try {
      return await openAnswering(place);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
    }
  }
  throw new UsageError(`${problems.join('; ')}; ${NAME_THE_SERVER}`);
}

async function openAnswering(place: ServerPlace): Promise<LastingServer> {
  const server = await LastingServer.open(place);
  try {
    await requireKubernetes(server);
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** A server that knows the user no more, or does not tell its version, is one that the page can tell of. */
async function requireKubernetes({ send, found }: LastingServer): Promise<void> {
  const response = await send('/version');
  const text = await response.text();
  if (response.status === 401 || response.status === 403 || (response.ok && text.includes('"gitVersion"'))) return;
  const why = response.ok ? 'is no Kubernetes API' : `does not answer: ${statusMessage(text, response.status)}`;
  throw new UsageError(`the server at ${found.server} ${why}`);
}

function announce(address: string, { server, context }: FoundServer): void {
  const { bold, cyan } = coloursOf(process.stdout);
  const of = context === undefined ? `the server ${server}` : `the context ${context.name}, ${server}`;
  process.stdout.write(`${bold('driftless')} dashboard on ${cyan(address)}\nshows ${of}\n`);
}
