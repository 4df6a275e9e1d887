import { useEffect, useReducer } from 'react'
import { Dialog } from '../ui/Dialog.tsx'
import { QuestionStep } from './QuestionStep.tsx'
import { ADVANCE_DELAY, stepQuestionnaire, untouched, wholePreferences } from './questionnaireState.ts'
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
  const [state, send] = useReducer(stepQuestionnaire, untouched)
  const { step, answers, isAdvancing } = state
  useEffect(() => {
    if (!isAdvancing) return
    const timer = setTimeout(() => send({ type: 'advance' }), ADVANCE_DELAY)
    return () => clearTimeout(timer)
  }, [isAdvancing])

  const question = questions[step]
  const preferences = wholePreferences(answers)
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
