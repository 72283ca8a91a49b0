/** Returns the annotations that tell simulated pods how to behave: `start-delay` is `simulate.driftless.dev/start-delay`. */
export function habitAnnotations(habits: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(habits).map(([habit, value]) => [`simulate.driftless.dev/${habit}`, value]));
}
