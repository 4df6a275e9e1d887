import { type KeyboardEvent, useEffect, useReducer, useRef } from 'react'
import { Button } from '../ui/controls/Button.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { ArrowLeft, Check } from '../ui/icons.tsx'
import { normalizeKey } from '../ui/keyboard/hotkeyRules.ts'
import { Kbd } from '../ui/keyboard/Kbd.tsx'
import {
  ADVANCE_DELAY,
  completePreferences,
  initialQuestionnaire,
  QUESTION_COUNT,
  stepQuestionnaire,
} from './questionnaireState.ts'
import { questions } from './questions.ts'
import { Recommendations } from './Recommendations.tsx'
import './layouts.css'

interface QuestionnaireDialogProps {
  open: boolean
  /** Skipped or closed without saving: it stays closed for this session. */
  onSkip: () => void
  onSaved: () => void
}

/** Four questions, then the recommended microgenres. */
export function QuestionnaireDialog({ open, onSkip, onSaved }: QuestionnaireDialogProps) {
  const [state, send] = useReducer(stepQuestionnaire, initialQuestionnaire)
  const { step, answers, isAdvancing } = state
  useEffect(() => {
    if (!isAdvancing) return
    const timer = setTimeout(() => send({ type: 'advance' }), ADVANCE_DELAY)
    return () => clearTimeout(timer)
  }, [isAdvancing])

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
          onChoose={(value) => send({ type: 'chosen', answer: { [question.key]: value } })}
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

/** One question: choosing an option answers it. Arrow keys move between the options, digits choose one. */
function QuestionStep({ step, question, chosen, onChoose, onBack, onSkip }: QuestionStepProps) {
  const element = useRef<HTMLFieldSetElement>(null)
  // The focused option is gone; move the focus to the new question.
  useEffect(() => element.current?.focus({ preventScroll: true }), [])

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return
    const byDigit = question.options[Number(normalizeKey(event.nativeEvent)) - 1]
    if (byDigit) onChoose(byDigit.value)
    else moveFocus(event)
  }

  return (
    <fieldset
      ref={element}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="grid gap-4 outline-none wide:gap-5 low:gap-2"
    >
      <legend className="sr-only">{question.text}</legend>
      <Progress step={step} />
      <div className="grid min-h-72 content-start gap-2.5 low:min-h-0 low:grid-cols-2">
        {question.options.map(({ value, name, hint, icon: Icon }, index) => (
          <button
            key={value}
            type="button"
            aria-pressed={chosen === value}
            // The second click of a double click may hit the next question, and must not answer it.
            onClick={(event) => event.detail < 2 && onChoose(value)}
            className="group answer"
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
