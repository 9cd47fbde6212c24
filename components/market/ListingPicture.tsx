import clsx from 'clsx';
import type { CSSProperties } from 'react';
import { categoryIcon, type OutcomeStyle } from '#lib/market/pictures.ts';

type ListingPictureProps = {
  /** Path of the exchange's picture; undefined without one. */
  picture: string | undefined;
  category: string;
  className: string;
};

/** The picture of an event or market, or its category's icon. It only decorates. */
export function ListingPicture({ picture, category, className }: ListingPictureProps) {
  const style = { '--icon': `url(${categoryIcon(category, 'light')})` } as CSSProperties;
  const shown = { style, className: clsx('listing-picture', className) };
  if (picture === undefined) return <span {...shown} />;
  return (
    // biome-ignore lint/performance/noImgElement: small already, and from a cache of our own
    <img {...shown} src={picture} alt="" loading="lazy" decoding="async" width={96} height={96} />
  );
}

type OutcomeMarkProps = Record<keyof OutcomeStyle, string | undefined>;

/** An outcome's picture or colour beside its name. */
export function OutcomeMark({ picture, color }: Partial<OutcomeMarkProps>) {
  if (picture !== undefined) {
    return (
      // biome-ignore lint/performance/noImgElement: as above
      <img src={picture} alt="" loading="lazy" width={20} height={20} className="outcome-picture" />
    );
  }
  if (color === undefined) return null;
  return <span className="outcome-mark" style={{ '--mark': color } as CSSProperties} />;
}
