import { type KeyboardEvent, useReducer } from 'react'
import type { Preferences } from '../../contract/onboarding.ts'
import { AudioWaveform } from '../achievements/icons.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { ArrowLeft, Check, type Icon } from '../ui/icons.tsx'
import { normalizeKey } from '../ui/keyboard/hotkeyRules.ts'
import { Kbd } from '../ui/keyboard/Kbd.tsx'
import {
  Blend,
  CloudFog,
  Drum,
  FlaskConical,
  Gauge,
  Gem,
  Heart,
  Leaf,
  MicVocal,
  Radio,
  Shell,
  Shuffle,
  Turtle,
} from '../ui/laterIcons.ts'
import {
  ADVANCE_DELAY,
  completePreferences,
  initialQuestionnaire,
  QUESTION_COUNT,
  stepQuestionnaire,
} from './questionnaireState.ts'
import { Recommendations } from './Recommendations.tsx'

interface QuestionnaireDialogProps {
  open: boolean
  /** Also when it is closed: it does not open again in this session. */
  onSkip: () => void
  onSaved: () => void
}

/** Four questions, then the recommended microgenres. */
export function QuestionnaireDialog({ open, onSkip, onSaved }: QuestionnaireDialogProps) {
  const [state, send] = useReducer(stepQuestionnaire, initialQuestionnaire)
  const { step, answers, isAdvancing } = state
  function choose(answer: Partial<Preferences>) {
    if (isAdvancing) return
    send({ type: 'chosen', answer })
    setTimeout(() => send({ type: 'advance' }), ADVANCE_DELAY)
  }

  const question = questions[step]
  const preferences = completePreferences(answers)
  return (
    <Dialog
      open={open}
      onOpenChange={(opened) => !opened && onSkip()}
      title={question?.text ?? 'Start with these'}
      width="38rem"
      page={step}
    >
      {question ? (
        <QuestionStep
          key={question.key}
          step={step}
          question={question}
          chosen={answers[question.key]}
          onChoose={(value) => choose({ [question.key]: value })}
          onBack={() => send({ type: 'back' })}
          onSkip={onSkip}
        />
      ) : (
        preferences && (
          <Recommendations
            preferences={preferences}
            onStartOver={() => send({ type: 'start-over' })}
            onSaved={onSaved}
          />
        )
      )}
    </Dialog>
  )
}

type Question = (typeof questions)[number]
type Value = Question['options'][number]['value']

interface QuestionStepProps {
  /** From 0. */
  step: number
  question: Question
  chosen: Value | undefined
  onChoose: (value: Value) => void
  onBack: () => void
  onSkip: () => void
}

/** What had the focus is gone with the previous question. */
function focusQuestion(element: HTMLElement | null) {
  element?.focus({ preventScroll: true })
}

/** A press or a digit answers the question; arrow keys move between its options. */
function QuestionStep({ step, question, chosen, onChoose, onBack, onSkip }: QuestionStepProps) {
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return
    const byDigit = question.options[Number(normalizeKey(event.nativeEvent)) - 1]
    if (byDigit) onChoose(byDigit.value)
    else moveFocus(event)
  }

  return (
    <fieldset
      ref={focusQuestion}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="grid gap-4 outline-none wide:gap-5 low:gap-2"
    >
      <legend className="sr-only">{question.text}</legend>
      <Progress step={step} />
      <div className="grid min-h-72 content-start gap-2 low:min-h-0 low:grid-cols-2">
        {question.options.map(({ value, name, hint, icon: Icon }, index) => (
          <button
            key={value}
            type="button"
            aria-pressed={chosen === value}
            // The second click of a double click may hit the next question, and must not answer it.
            onClick={(event) => event.detail < 2 && onChoose(value)}
            className="group flex min-h-16 items-center gap-4 rounded-pad border border-line-strong bg-paper px-4 text-left hover:border-ink aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-paper wide:px-5"
          >
            <Icon />
            <span className="grid flex-1">
              <b className="text-base/6 font-semibold">{name}</b>
              <span className="text-xs text-ink-2 group-aria-pressed:text-paper">{hint}</span>
            </span>
            {chosen === value ? (
              <Check />
            ) : (
              <span aria-hidden="true" className="hidden keys:block">
                <Kbd className="border-line-strong text-ink-2">{`${index + 1}`}</Kbd>
              </span>
            )}
          </button>
        ))}
      </div>
      <div className="flex justify-between gap-3">
        <Button
          variant="bare"
          size="tight"
          className={`-ml-3 ${step === 0 ? 'invisible' : ''}`}
          onClick={onBack}
        >
          <ArrowLeft />
          Back
        </Button>
        <Button variant="bare" size="tight" className="-mr-3" onClick={onSkip}>
          Skip for now
        </Button>
      </div>
    </fieldset>
  )
}

function Progress({ step }: { step: number }) {
  const hint = `Question ${step + 1} of ${QUESTION_COUNT}`
  return (
    <div className="grid gap-2">
      <p role="status" className="text-xs text-ink-2">
        {hint}
      </p>
      <div
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={((step + 1) / QUESTION_COUNT) * 100}
        aria-valuetext={hint}
        className="grid grid-cols-4 gap-1"
      >
        {[0, 1, 2, 3].map((tick) => (
          <span key={tick} className={`h-1 rounded-[1px] ${tick <= step ? 'bg-ink' : 'bg-line'}`} />
        ))}
      </div>
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }
  const move = steps[event.key]
  if (move === undefined) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[aria-pressed]')]
  const index = buttons.indexOf(event.target as HTMLElement)
  event.preventDefault()
  buttons[index === -1 ? 0 : (index + move + buttons.length) % buttons.length]?.focus()
}

type QuestionKey = keyof Preferences

interface Option<Key extends QuestionKey> {
  value: Preferences[Key]
  name: string
  hint: string
  icon: Icon
}

/** The options of each question: the contract's value and our text (onboarding-2). */
const options: { [Key in QuestionKey]: readonly Option<Key>[] } = {
  energyPreference: [
    { value: 'slow', name: 'Slow', hint: 'Room to breathe', icon: Turtle },
    { value: 'fast', name: 'Fast', hint: 'Keep me moving', icon: Gauge },
    { value: 'weird', name: 'Weird', hint: 'Throw me off balance', icon: Shell },
    { value: 'mixed', name: 'Mixed', hint: 'Whatever comes', icon: Shuffle },
  ],
  vocalPreference: [
    { value: 'vocal', name: 'Vocal', hint: 'Somebody sings to me', icon: MicVocal },
    { value: 'instrumental', name: 'Instrumental', hint: 'No words needed', icon: AudioWaveform },
    { value: 'both', name: 'Both', hint: 'Either is fine', icon: Blend },
  ],
  familiarityLevel: [
    { value: 'mainstream', name: 'Mainstream', hint: 'Names I may know', icon: Radio },
    { value: 'indie', name: 'Indie', hint: 'A little off the road', icon: Leaf },
    { value: 'obscure', name: 'Obscure', hint: 'Nobody has heard of it', icon: Gem },
  ],
  musicMood: [
    { value: 'ambient', name: 'Ambient', hint: 'It fills the room', icon: CloudFog },
    { value: 'emotional', name: 'Emotional', hint: 'It gets under the skin', icon: Heart },
    { value: 'rhythmic', name: 'Rhythmic', hint: 'It makes you want to dance', icon: Drum },
    { value: 'experimental', name: 'Experimental', hint: 'It tries things out', icon: FlaskConical },
  ],
}

/** The questions in order. */
export const questions = [
  { key: 'energyPreference', text: 'How fast should it go?', options: options.energyPreference },
  { key: 'vocalPreference', text: 'Voices, or just the music?', options: options.vocalPreference },
  { key: 'familiarityLevel', text: 'How far off the map?', options: options.familiarityLevel },
  { key: 'musicMood', text: 'What should it do to you?', options: options.musicMood },
] as const satisfies readonly { key: QuestionKey; text: string; options: unknown }[]
