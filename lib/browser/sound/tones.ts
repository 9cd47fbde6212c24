/** Notes in Hz, played in sequence. */
const NOTES = { completed: [587, 880], failed: [440, 330] } as const;
const NOTE_SECONDS = 0.12;
const LOUDNESS = 0.08;

let context: AudioContext | undefined;

/** Plays two soft notes; silent while the browser does not allow sound. */
export function playTones(outcome: keyof typeof NOTES): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  for (const [index, frequency] of NOTES[outcome].entries()) {
    const begin = context.currentTime + index * NOTE_SECONDS;
    const loudness = new GainNode(context, { gain: LOUDNESS });
    // Fades out, since an abrupt end clicks.
    loudness.gain.setTargetAtTime(0, begin + NOTE_SECONDS / 2, NOTE_SECONDS / 4);
    const note = new OscillatorNode(context, { frequency });
    note.connect(loudness).connect(context.destination);
    note.start(begin);
    note.stop(begin + NOTE_SECONDS * 2);
  }
}
