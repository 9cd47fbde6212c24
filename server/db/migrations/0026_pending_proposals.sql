CREATE TABLE "pending_proposals" (
	"ticker" text PRIMARY KEY NOT NULL,
	"payout_yes_micros" bigint NOT NULL,
	"proposed_by" text NOT NULL,
	"reason" text NOT NULL,
	"proposed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
