import type { ReactElement } from 'react';
import { ShareHead, truncate } from './shareCard.tsx';

export type PositionPicture = {
  eyebrow: string;
  /** The picture as a data URL. */
  picture?: string | undefined;
  side: 'yes' | 'no';
  /** "Yes" or "Sold Yes". */
  position: string;
  outcome: string;
  question: string | undefined;
  /** The first one is the largest. */
  figures: { label: string; value: string; tone?: 'yes' | 'no' | undefined }[];
  /** What the trader stated and Crossbook did not check. */
  note: string;
};

const PAPER = '#11151b';
const INK = '#f6f4ef';
const QUIET = '#a2a8b4';
const TONES = { yes: '#5fd0c5', no: '#f0a27e' } as const;

const OUTCOME_LENGTH = 150;
const QUESTION_LENGTH = 110;

/** The picture of a position or a trade, for posts. */
export function positionPicture(content: PositionPicture): ReactElement {
  const { eyebrow, picture, question, note, figures } = content;
  return (
    <div
      style={{
        width: '100%',
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        padding: '52px 68px 44px',
        background: PAPER,
        color: INK,
      }}
    >
      <div style={{ display: 'flex', flexDirection: 'column', gap: 26 }}>
        <ShareHead eyebrow={eyebrow} picture={picture} quiet={QUIET} />
        <Outcome {...content} />
        {question !== undefined && (
          <div style={{ display: 'flex', marginTop: -12, fontSize: 32, color: QUIET }}>
            {truncate(question, QUESTION_LENGTH)}
          </div>
        )}
      </div>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 24 }}>
        <Figures figures={figures} />
        <div style={{ display: 'flex', fontSize: 23, color: QUIET }}>{note}</div>
      </div>
    </div>
  );
}

function Outcome({ side, position, outcome }: PositionPicture) {
  const fontSize = outcome.length > 70 ? 36 : outcome.length > 32 ? 46 : 58;
  return (
    <div style={{ display: 'flex', alignItems: 'center', gap: 24, fontSize, lineHeight: 1.15 }}>
      <div
        style={{
          display: 'flex',
          flexShrink: 0,
          padding: '6px 26px',
          borderRadius: 14,
          background: TONES[side],
          color: PAPER,
        }}
      >
        {position}
      </div>
      <div style={{ display: 'flex', flexShrink: 1 }}>{truncate(outcome, OUTCOME_LENGTH)}</div>
    </div>
  );
}

/** Of the first figure and the others, by the number of digits beside each other. */
const SIZES = { usual: [132, 58], narrow: [84, 46] };
const USUAL_DIGITS = 20;

function Figures({ figures }: Pick<PositionPicture, 'figures'>) {
  const digits = figures.reduce((sum, { value }) => sum + value.length, 0);
  const sizes = digits > USUAL_DIGITS ? SIZES.narrow : SIZES.usual;
  return (
    <div style={{ display: 'flex', alignItems: 'flex-end', gap: 52 }}>
      {figures.map(({ label, value, tone }, index) => (
        <div key={label} style={{ display: 'flex', flexDirection: 'column' }}>
          <div
            style={{
              display: 'flex',
              fontSize: sizes[index === 0 ? 0 : 1],
              lineHeight: index > 0 ? 1.2 : 1.05,
              color: tone ? TONES[tone] : INK,
            }}
          >
            {value}
          </div>
          <div style={{ display: 'flex', fontSize: 27, color: QUIET }}>{label}</div>
        </div>
      ))}
    </div>
  );
}
